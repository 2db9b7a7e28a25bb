# syntax=docker/dockerfile:1
# The image contains the binary on Debian, without the build tools. docs/operations.md describes how to run it.

FROM node:22-bookworm-slim AS web
WORKDIR /kurso/web
COPY web/package.json web/package-lock.json ./
RUN npm ci
COPY schema.graphql /kurso/
COPY web ./
RUN npm run build

FROM rust:1.95-bookworm AS binary
WORKDIR /kurso
COPY . .
COPY --from=web /kurso/web/dist web/dist
RUN cargo build --release --locked --bin kurso

FROM debian:bookworm-slim
# TLS connections to S3 and to trace collectors need the CA certificates.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --system --gid 10001 kurso \
    && useradd --system --uid 10001 --gid kurso --home-dir /var/lib/kurso --shell /usr/sbin/nologin kurso \
    && install -d -o kurso -g kurso -m 750 /var/lib/kurso
COPY --from=binary /kurso/target/release/kurso /usr/bin/kurso
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/kurso/
ENV KURSO_ADDRESS=0.0.0.0:8000 \
    KURSO_DATA_DIR=/var/lib/kurso \
    KURSO_LOG_FORMAT=json
USER 10001:10001
WORKDIR /var/lib/kurso
VOLUME /var/lib/kurso
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s CMD ["kurso", "health"]
ENTRYPOINT ["kurso"]
CMD ["serve"]
