FROM node:24-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY . .
RUN npm run build
ENV NODE_ENV=production
CMD ["node", "packages/backend/dist/main.js"]
