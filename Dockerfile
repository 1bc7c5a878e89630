# The command with all optional readers and database clients: docker run --rm -v "$PWD:/data:ro" simhash-doc dupes .
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci && npm pack --ignore-scripts && mv simhash-doc-*.tgz simhash-doc.tgz

FROM node:24-bookworm-slim
WORKDIR /data
COPY --from=build /build/simhash-doc.tgz .
RUN npm install --global --omit=dev ./simhash-doc.tgz diff hyparquet hyparquet-compressors hyparquet-writer pg \
      pg-copy-streams postal-mime \
    && npm cache clean --force && rm simhash-doc.tgz
USER node
ENTRYPOINT ["simhash-doc"]
CMD ["--help"]
