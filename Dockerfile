# The command and all that it needs, with a server as what runs unless told: docker run -p 6443:6443 IMAGE
FROM node:24-slim AS package
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm pack --pack-destination /package

FROM node:24-slim
ENV NODE_ENV=production
RUN --mount=type=bind,from=package,source=/package,target=/package \
    npm install --global --no-audit --no-fund /package/touchstone-*.tgz @playwright/test@1.65.1 \
    && npm cache clean --force
USER node
WORKDIR /home/node
EXPOSE 6443
# What is let go of goes back to the system, instead of staying with the thread that had it.
ENV MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=262144
# Every address of the container; whoever starts it says by -p who reaches it.
ENV TOUCHSTONE_BIND_ADDRESS=0.0.0.0
HEALTHCHECK --interval=2s --timeout=2s --start-period=5s \
    CMD ["node", "-e", "require('https').get({ port: 6443, path: '/readyz', rejectUnauthorized: false }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["touchstone"]
CMD ["serve"]
