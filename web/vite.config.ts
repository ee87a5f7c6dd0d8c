/** Builds the web app into the Python package, and serves it with reload while the server answers `/api` on its own port. */
import { fileURLToPath, URL } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = process.env.HEADRACE_SERVER ?? "http://127.0.0.1:8765";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    outDir: "../src/headrace/static",
    emptyOutDir: true,
    // The page forbids inline and remote assets; small files stay files.
    assetsInlineLimit: 0,
    target: "es2022",
  },
  server: { proxy: { "/api": { target: server, changeOrigin: true } } },
});
