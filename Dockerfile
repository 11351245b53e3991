# One image for every service: the chart chooses with `node services/<name>/dist/main.js`.
#   docker build -t parley:dev .
ARG NODE=24-bookworm-slim

FROM node:${NODE} AS build
WORKDIR /parley
COPY . .
# The build that everybody else runs, then the same tree with production dependencies alone.
RUN npm run build \
 && npx --yes pnpm@12 install --frozen-lockfile --prod --ignore-scripts \
 && rm -rf .parley bench drills e2e docs charts scripts **/test **/*.tsbuildinfo

FROM node:${NODE}
LABEL org.opencontainers.image.title="Parley" \
      org.opencontainers.image.description="A self-hosted platform for AI voice agents" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production
WORKDIR /parley
COPY --from=build /parley/package.json ./
COPY --from=build /parley/node_modules node_modules
COPY --from=build /parley/proto proto
COPY --from=build /parley/libs libs
COPY --from=build /parley/services services
USER 10001:10001
EXPOSE 8080 9090 50051
# Node itself is process 1: SIGTERM reaches it, and nothing between.
CMD ["node", "services/gateway/dist/main.js"]
