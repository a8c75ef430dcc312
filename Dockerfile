# The images of Foyer. `docker build .` builds the production gateway: its compiled code, the packages that it needs and Node.js,
# nothing else. `docker build --target demo .` adds the demo parts and the jobs of docker-compose.yml.
#
# Everything comes from the lock file; the two base images are the only other input. For byte-identical layers, pin the base
# images by digest (--build-arg BUILD_IMAGE=node@sha256:… --build-arg BASE_IMAGE=debian@sha256:…) and set the
# timestamps of the files: SOURCE_DATE_EPOCH=0 docker buildx build --output type=docker,rewrite-timestamp=true . (podman build --timestamp 0 .)

ARG BUILD_IMAGE=node:24.21.0-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit
COPY . .
RUN npm run build

# The parts that run: the production packages, without the Node.js package of the lock file, because the image has its own Node.js.
FROM build AS parts
RUN node scripts/copy-packages.mjs /demo/node_modules smtp-server postal-mime \
  && npm prune --omit=dev --ignore-scripts --no-audit \
  && rm -rf node_modules/node-linux-* node_modules/typescript node_modules/.cache node_modules/.package-lock.json \
  && find node_modules -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' | xargs rm -f \
  && mkdir /foyer && node scripts/sbom.mjs > /foyer/sbom.cdx.json && mv node_modules package.json /foyer/ \
  && mkdir /foyer/dist && cp -R dist/src dist/locales dist/web dist/ssr dist/console /foyer/dist/ \
  && mkdir -p /demo/dist && cp -R dist/embedded /demo/dist/ && cp -R --parents deploy/compose /demo/ \
  && find embedded -name '*.css' -o -name '*.js' -o -name '*.svg' | xargs cp --parents --target-directory=/demo \
  && find /foyer/dist /demo/dist -name '*.d.ts' -delete

FROM ${BASE_IMAGE} AS foyer
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=parts /foyer /foyer
# Installs the command line next to the server: `docker exec … foyer account list`.
RUN chmod 0755 /foyer/dist/src/operator/cli/main.js \
  && ln -s /foyer/dist/src/operator/cli/main.js /usr/local/bin/foyer \
  && mkdir -m 0700 /data && chown 10001:10001 /data
WORKDIR /foyer
# Numeric ids, because Kubernetes can check `runAsNonRoot` only for numbers.
USER 10001:10001
ENV HOST=0.0.0.0 DATA_DIR=/data MALLOC_ARENA_MAX=1 UV_THREADPOOL_SIZE=8
EXPOSE 3000 3001
# The command reads the port from the settings of the gateway, so a changed port works too.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 CMD ["foyer", "health", "--ready"]
# Together with MALLOC_ARENA_MAX, a small young generation reduces the memory after a load by two fifths (docs/production.md).
ENTRYPOINT ["node", "--max-semi-space-size=4"]
CMD ["dist/src/main.js"]

FROM foyer AS demo
COPY --from=parts /demo /foyer
HEALTHCHECK NONE

# The last stage is the one that a build without a target builds.
FROM foyer
