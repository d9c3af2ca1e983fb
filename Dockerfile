# The mirror as an image: `docker build --tag liveview-mirror .`; docs/container.md describes how to run it.

# Exact versions of Swift and Debian, so that later builds start from the same images. All stages are Debian 12, so the programs
# run with the glibc that they were linked with. docs/container.md has the command that pins the digests.
FROM swift:6.3.1-bookworm AS build

RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
      binutils curl libdeflate-tools libmicrohttpd-dev libsimdjson-dev libsqlite3-dev libyaml-dev pkg-config zlib1g-dev \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /src

# Exact versions of the packages, for the image and the archive only: programs that use the library choose their own. These files
# change less often than the code; while both stay the same, the packages are not fetched again.
COPY Package.swift ./
COPY script/release.resolved Package.resolved
RUN swift package resolve --force-resolved-versions --scratch-path .build-release

COPY LICENSE CHANGELOG.md ./
COPY Public Public
COPY Sources Sources
COPY script/package script/setup script/
RUN script/package /archive --force-resolved-versions

# The archive that users download. Another one replaces it with `docker buildx build --build-context archive=FOLDER`.
FROM scratch AS archive
COPY --from=build /archive/*.tar.gz /

FROM debian:12.15-slim AS unpacked
COPY --from=archive /*.tar.gz /
RUN mkdir /program && tar -xzf /liveview-mirror-*-linux-$(uname -m | sed s/aarch64/arm64/).tar.gz -C /program --strip-components=1

FROM debian:12.15-slim

# For PostgreSQL journals and for attach to https addresses. The programs bring everything else.
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends ca-certificates libpq5 \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/log/apt /var/log/*.log

COPY --from=unpacked /program /opt/liveview-mirror
WORKDIR /opt/liveview-mirror
ENV PATH=/opt/liveview-mirror:$PATH

LABEL org.opencontainers.image.title="liveview-mirror" \
      org.opencontainers.image.description="Does what a LiveView's client does with every diff, and shows it." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.base.name="docker.io/library/debian:12.15-slim"

# The loopback address of a container cannot be reached from outside, so the server listens on all addresses. It therefore
# requires MIRROR_TOKEN, or MIRROR_INSECURE=1.
ENV MIRROR_ADDRESS=0.0.0.0
EXPOSE 8080

# Numeric, so that a cluster can check that the user is not root.
USER 65532:65532
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["/opt/liveview-mirror/liveview-mirror", "healthcheck"]

ENTRYPOINT ["/opt/liveview-mirror/liveview-mirror"]
CMD ["serve"]
