import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { folder, writeOne } from './one-file.mjs'

/**
 * Makes one file of the whole server, as a start would load hundreds of them: dist/core/packages/server.cjs. Its modules run
 * when they are first asked for, in the order in which the files would. What others import by the name of the package leads
 * into it, too: dist/entries/.
 */
const dist = path.resolve(import.meta.dirname, '../dist')
const entry = path.join(dist, 'server')
const filesIn = (place, wanted) =>
  readdirSync(path.join(dist, place))
    .filter(wanted)
    .map(name => `${place}/${name}`)
const plugins = readdirSync(path.join(dist, 'plugins'))
const entries = ['core/index.js', ...plugins.map(name => `plugins/${name}/index.js`)]
const asked = [
  ...entries,
  'core/cli/run.js',
  ...filesIn('core/cli/commands', name => name.endsWith('.js')),
  ...plugins.flatMap(name => filesIn(`plugins/${name}`, file => /^(entry-meta|schema-words)\.js$/.test(file))),
]

const installed = '\0installed:'
const plugin = {
  name: 'whole',
  resolveId(id) {
    if (id === entry) return id
    if (isBuiltin(id)) return { id, external: true }
    // Packages stay where they are, and are loaded by the module that needs them, when that is.
    return /^[./]/.test(id) ? null : installed + id
  },
  load(id) {
    if (id.startsWith(installed))
      return `module.exports = theWhole.require(${JSON.stringify(id.slice(installed.length))})`
    const own = file => `'${file}': () => require(${JSON.stringify(path.join(dist, file))})`
    return id === entry ? `module.exports = {${asked.map(own).join()}}` : null
  },
  transform(code, id) {
    if (id.startsWith('\0') || id === entry) return null
    const place = path.relative(dist, id)
    return code
      .replaceAll('import.meta.url', `theWhole.url(${JSON.stringify(place)})`)
      .replaceAll('import.meta.dirname', `theWhole.path(${JSON.stringify(path.dirname(place))})`)
      .replace(/(?<![.\w])(?<!async )import\((?!['"]\.)/g, 'theWhole.import(')
  },
}
/** What the modules find in place of what Node.js gives to each file. */
const banner = `const theWhole = {
  get modules() {
    return module.exports
  },
  import: module.import,
  keep: module.keep,
  require,
  path: place => require('node:path').join(__dirname, '../..', place),
  url: place => require('node:url').pathToFileURL(theWhole.path(place)).href,
}`

const bundle = await rolldown({ input: entry, platform: 'node', plugins: [plugin], logLevel: 'silent' })
const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false })
await bundle.close()
const [{ code }] = output
const left = /\bimport\.meta\b|(?<![.\w])(?<!async )import\(/.exec(code)
if (left) throw new Error(`what the file cannot do: ${code.slice(left.index - 100, left.index + 100)}`)

// Of characters that Latin 1 has not, a single one doubles what V8 needs for the text.
const text = `${banner}\n${code}`.replace(
  /[^\0-\xff]/g,
  char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
)
const print = writeOne('server', text)

for (const file of entries) {
  const names = Object.keys(await import(pathToFileURL(path.join(dist, file)).href))
  const place = path.join(dist, 'entries', file)
  const whole = path.relative(path.dirname(place), path.join(folder, 'whole.js')).split(path.sep).join('/')
  mkdirSync(path.dirname(place), { recursive: true })
  writeFileSync(
    place,
    `import { ownModule } from '${whole}'\n\nexport const { ${names.join(', ')} } = ownModule('${file}')\n`,
  )
}
// Last: from here on, the file is used.
writeFileSync(path.join(folder, 'server.json'), JSON.stringify({ print }))
