import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const inRepository = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url))
const outDir = inRepository('dist/plugins/explorer/built')

/** Each asset as clients take it, so that the server compresses nothing. */
const packed: Plugin = {
  name: 'packed',
  closeBundle() {
    for (const name of readdirSync(`${outDir}/assets`)) {
      const file = `${outDir}/assets/${name}`
      const content = readFileSync(file)
      writeFileSync(`${file}.br`, brotliCompressSync(content))
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
    }
  },
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/explorer/',
  publicDir: false,
  cacheDir: inRepository('node_modules/.cache/vite'),
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir,
    emptyOutDir: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // The policy of the page allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    // A slow build on a busy machine needs no warning.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  plugins: [packed],
})
