import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'

/**
 * Builds the pages that plugins serve, in dist/plugins/<name>/built/: a page is the folder `page` of a plugin with an
 * index.html. With names of plugins as arguments, it builds their pages alone.
 */
const inRepository = name => fileURLToPath(new URL(`../${name}`, import.meta.url))
const pages = readdirSync(inRepository('plugins')).filter(name =>
  existsSync(inRepository(`plugins/${name}/page/index.html`)),
)
const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !pages.includes(name))
if (unknown.length > 0) throw new Error(`no page of ${unknown.join(', ')}; there are ${pages.join(', ')}`)

/** Texts of views that few editors open are a script of their own: `en.json?later`, and `en.json?first` is the rest. */
const laterTexts = JSON.parse(readFileSync(inRepository('.ci/later-texts.json'), 'utf8'))
const splitTexts = {
  name: 'split-texts',
  enforce: 'pre',
  load(id) {
    const [, file, part] = /^(.*\/texts\/en\.json)\?(first|later)$/.exec(id) ?? []
    if (file === undefined) return undefined
    const texts = Object.entries(JSON.parse(readFileSync(file, 'utf8')))
    const chosen = texts.filter(([key]) => laterTexts.some(start => key.startsWith(`${start}.`)) === (part === 'later'))
    return { code: `export default ${JSON.stringify(Object.fromEntries(chosen))}`, moduleType: 'js' }
  },
}

for (const name of wanted.length > 0 ? wanted : pages) {
  const outDir = inRepository(`dist/plugins/${name}/built`)
  await build({
    configFile: false,
    root: inRepository(`plugins/${name}/page`),
    base: `/${name}/`,
    publicDir: false,
    cacheDir: inRepository('node_modules/.cache/vite'),
    logLevel: 'warn',
    plugins: [splitTexts],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: ['chrome123', 'firefox128', 'safari17.5'],
      // The policy of pages allows no data: addresses.
      assetsInlineLimit: 0,
      modulePreload: false,
      reportCompressedSize: false,
      // A slow build on a busy machine needs no warning.
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  })
  pack(`${outDir}/assets`)
}

/** Each asset as clients take it, so that the server compresses nothing. */
function pack(folder) {
  for (const name of readdirSync(folder)) {
    const content = readFileSync(`${folder}/${name}`)
    writeFileSync(`${folder}/${name}.br`, brotliCompressSync(content))
    writeFileSync(`${folder}/${name}.gz`, gzipSync(content, { level: 9 }))
  }
}
