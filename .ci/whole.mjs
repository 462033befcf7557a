import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { bundled } from '../dist/core/packages/bundle.js'
import { folder, writeOne } from './one-file.mjs'

/**
 * Makes one file of the whole server, as a start would load hundreds of them: dist/core/packages/server.cjs. Its modules run
 * when they are first asked for, in the order in which the files would. What others import by the name of the package leads
 * into it, too: dist/entries/.
 */
const require = createRequire(import.meta.url)
const dist = path.resolve(import.meta.dirname, '../dist')
const entry = path.join(dist, 'server')
const filesIn = (place, wanted) =>
  readdirSync(path.join(dist, place))
    .filter(wanted)
    .map(name => `${place}/${name}`)
const plugins = readdirSync(path.join(dist, 'plugins'))
const entries = ['core/index.js', 'core/plugin-kit.js', ...plugins.map(name => `plugins/${name}/index.js`)]
const asked = [
  ...entries,
  'core/tools/cli/run.js',
  ...filesIn('core/tools/cli/commands', name => name.endsWith('.js')),
  ...plugins.flatMap(name => filesIn(`plugins/${name}`, file => /^(entry-meta|schema-words)\.js$/.test(file))),
]

const inDist = place => path.join(dist, place)
const quoted = place => JSON.stringify(inDist(place))
/** What comes from elsewhere, by the beginning of the name that its module has in the file. */
const written = {
  '\0builtin:': name => {
    const parts = Object.keys(require(name)).filter(part => part !== 'default')
    return [
      `const all = theWhole.require('${name}')`,
      'export default all',
      ...parts.map(part => `export const ${part} = all.${part}`),
    ].join('\n')
  },
  // Packages stay where they are, and are loaded by the module that needs them, when that is.
  '\0bundled:': name => `module.exports = require(${quoted('core/packages/bundle.js')}).load('${name}')`,
  '\0installed:': name => `module.exports = theWhole.require('${name}')`,
}
/** Own modules, and the little that validators made by the build need of ajv. */
const isInside = id => /^([./]|ajv\/dist\/runtime\/)/.test(id)
const beginningOf = name => (isBuiltin(name) ? '\0builtin:' : bundled.includes(name) ? '\0bundled:' : '\0installed:')

const plugin = {
  name: 'whole',
  resolveId: id => (id === entry ? id : isInside(id) ? null : beginningOf(id) + id),
  load(id) {
    // What opens the file is there before it.
    if (id === inDist('core/packages/compiled-file.js')) return 'module.exports = theWhole.files'
    const own = file => `'${file}': () => require(${quoted(file)})`
    if (id === entry) return `module.exports = {${asked.map(own).join()}}`
    const beginning = /^\0.*?:/.exec(id)?.[0]
    return written[beginning]?.(id.slice(beginning.length)) ?? null
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
  files: module.files,
  require,
  path: place => require('node:path').join(__dirname, '../..', place),
  url: place => require('node:url').pathToFileURL(theWhole.path(place)).href,
}`

const bundle = await rolldown({
  input: entry,
  platform: 'node',
  plugins: [plugin],
  // Of what comes with Node.js, what is not used is not read.
  treeshake: { propertyReadSideEffects: false },
  logLevel: 'silent',
})
const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false })
await bundle.close()
const [{ code }] = output
const left = /\bimport\.meta\b|(?<![.\w])(?<!async )import\(/.exec(code)
if (left) throw new Error(`what the file cannot do: ${code.slice(left.index - 100, left.index + 100)}`)

const print = writeOne('server', `${banner}\n${code}`)

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
