# The mirror as an image: `docker build --tag liveview-mirror .`; how it is run stands in docs/container.md.

# The toolchain's patch version and Debian's point release, so that a later build begins with the same images. Both stages are
# Debian 12, so that what is linked here is what is loaded there. docs/container.md has the command that pins the digests.
FROM swift:6.3.1-bookworm AS build

RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
      binutils libmicrohttpd-dev libsimdjson-dev pkg-config zlib1g-dev \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /src

# The exact versions of the packages: for the image alone, so programs that use the library choose their own. They change less
# often than the code: while both files stay, they are not fetched again.
COPY Package.swift ./
COPY script/release.resolved Package.resolved
RUN swift package resolve --force-resolved-versions --scratch-path .build-release

COPY Sources Sources
# Only because the manifest names the test targets; none is built.
COPY Tests Tests
COPY script/release script/release.order script/
RUN program=$(script/release --force-resolved-versions) && mkdir /program && strip -o /program/liveview-mirror "$program"

# The style sheet and the script lie beside the program, where it looks first.
COPY Public /program/Public
# Whoever it runs as may read it, whatever the rights were where it was checked out.
RUN chmod -R a+rX,go-w /program

FROM debian:12.15-slim

RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
      libmicrohttpd12 libsimdjson14 libstdc++6 zlib1g \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/log/apt /var/log/*.log

COPY --from=build /program /opt/liveview-mirror
WORKDIR /opt/liveview-mirror

LABEL org.opencontainers.image.title="liveview-mirror" \
      org.opencontainers.image.description="Does what a LiveView's client does with every diff, and shows it." \
      org.opencontainers.image.base.name="docker.io/library/debian:12.15-slim"

# Loopback inside of a container is nobody's; so the program asks for MIRROR_TOKEN before it starts.
ENV MIRROR_ADDRESS=0.0.0.0
EXPOSE 8080

# A number, so that a cluster can see that it is not root.
USER 65532:65532
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["/opt/liveview-mirror/liveview-mirror", "healthcheck"]

ENTRYPOINT ["/opt/liveview-mirror/liveview-mirror"]
CMD ["serve"]
