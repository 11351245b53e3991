# syntax=docker/dockerfile:1
# One image for every service: the chart chooses with `node services/<name>/dist/main.js`; the command line is `node clients/cli/dist/main.js`.
#   docker build -t parley:dev .
# Behind a mirror of the registry, or a proxy that signs its own certificates:
#   docker build --secret id=npmrc,src=$HOME/.npmrc --secret id=certificates,src=/etc/ssl/certs/ca-certificates.crt -t parley:dev .
# By digest: the index of its architectures. A tag names another image tomorrow.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${NODE_IMAGE} AS build
WORKDIR /parley
COPY . .
# The build that everybody else runs, then the same tree with the services' production dependencies alone.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=secret,id=certificates,target=/run/secrets/certificates \
    if [ -s /run/secrets/certificates ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/certificates; fi \
 && npm run build \
 && rm -rf node_modules proto/node_modules libs/*/node_modules services/*/node_modules clients/*/node_modules \
 && node scripts/bootstrap/pnpm.mjs install --frozen-lockfile --prod --ignore-scripts --prefer-offline --filter-prod '{./services/*}...' --filter-prod '{./clients/cli}...' \
 && node scripts/sbom.mts sbom
RUN sh scripts/images/assemble.sh /image

# Nothing but node, the libraries that it links to, and Parley: no shell, no package manager, nothing to be kept up to date but these.
FROM scratch
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Parley" \
      org.opencontainers.image.description="A self-hosted platform for AI voice agents" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /image /
ENV NODE_ENV=production PATH=/usr/local/bin
WORKDIR /parley
USER 10001:10001
EXPOSE 8080 9090 50051
STOPSIGNAL SIGTERM
# Node itself is process 1: SIGTERM reaches it, and nothing between.
CMD ["node", "services/gateway/dist/main.js"]
