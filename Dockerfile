# The mirror as an image: `docker build --tag liveview-mirror .`; docs/container.md describes how to run it.

# Exact versions of Swift and Debian, so that later builds start from the same images. Both stages are Debian 12, so the program
# runs with the same libraries that it was linked with. docs/container.md has the command that pins the digests.
FROM swift:6.3.1-bookworm AS build

RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
      binutils libmicrohttpd-dev libpq-dev libsimdjson-dev libsqlite3-dev pkg-config zlib1g-dev \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /src

# Exact versions of the packages, for the image only: programs that use the library choose their own. These files change less
# often than the code; while both stay the same, the packages are not fetched again. MIRROR_WITHOUT_NIO leaves out the
# packages of the LiveView client and of tests.
ENV MIRROR_WITHOUT_NIO=1
COPY Package.swift ./
COPY script/release.resolved Package.resolved
RUN swift package resolve --force-resolved-versions --scratch-path .build-release

COPY Sources Sources
# Needed only because Package.swift declares the test targets; no test is built.
COPY Tests Tests
COPY script/release script/
RUN program=$(script/release --force-resolved-versions) && mkdir /program && strip -o /program/liveview-mirror "$program"

# The style sheet and the script are looked up first in the folder of the program.
COPY Public /program/Public
# Readable for every user, whatever the permissions in the checkout were.
RUN chmod -R a+rX,go-w /program

FROM debian:12.15-slim

RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
      libmicrohttpd12 libpq5 libsimdjson14 libsqlite3-0 libstdc++6 zlib1g \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/log/apt /var/log/*.log

COPY --from=build /program /opt/liveview-mirror
WORKDIR /opt/liveview-mirror

LABEL org.opencontainers.image.title="liveview-mirror" \
      org.opencontainers.image.description="Does what a LiveView's client does with every diff, and shows it." \
      org.opencontainers.image.base.name="docker.io/library/debian:12.15-slim"

# The loopback address of a container cannot be reached from outside, so the server listens on all addresses. It therefore
# requires MIRROR_TOKEN.
ENV MIRROR_ADDRESS=0.0.0.0
EXPOSE 8080

# Numeric, so that a cluster can check that the user is not root.
USER 65532:65532
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["/opt/liveview-mirror/liveview-mirror", "healthcheck"]

ENTRYPOINT ["/opt/liveview-mirror/liveview-mirror"]
CMD ["serve"]
