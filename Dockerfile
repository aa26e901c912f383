# One server for a vault, over HTTP. First somebody must be allowed to call:
#   docker run --rm -v notewright-state:/state IMAGE token add laptop --rights write
#   docker run -p 127.0.0.1:8787:8787 -v ~/notes:/vault -v notewright-state:/state IMAGE
FROM node:22-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts && npm run build

FROM node:22-slim
LABEL org.opencontainers.image.title="Notewright" org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/bin ./bin
COPY --from=build /build/dist ./dist
# Identities, sign-ins, settings and the index are kept together, apart from the notes.
ENV XDG_CONFIG_HOME=/state XDG_STATE_HOME=/state XDG_CACHE_HOME=/state
RUN mkdir /vault /state && chown node:node /vault /state
USER node
VOLUME ["/vault", "/state"]
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:8787/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/notewright.mjs"]
CMD ["serve", "/vault", "--http", "0.0.0.0:8787"]
