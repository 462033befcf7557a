import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { bundled } from '../dist/core/packages/bundle.js'
import { folder as output, writeOne } from './one-file.mjs'

/**
 * Makes one file of the packages that every start needs, as loading hundreds of files takes longer than running them:
 * dist/core/packages/bundle.cjs, with what it contains (bundle.json) and under which licenses (licenses.txt).
 */
const root = path.resolve(import.meta.dirname, '..')
const entry = path.join(root, 'packages')
const packages = []

/** The package that a file belongs to, and its place in the list. */
function packageOf(file) {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []
  if (folder === undefined) return undefined
  const known = packages.find(one => one.folder === folder)
  if (known) return known
  const { name, version, dependencies = {} } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  packages.push({ index: packages.length, folder, name, version, dependencies, needs: {} })
  return packages.at(-1)
}

const ownNeeds = {}
const plugin = {
  name: 'packages',
  async resolveId(id, importer) {
    if (id === entry) return id
    if (/^[./]/.test(id) || isBuiltin(id)) return null
    const [name] = /^(@[^/]+\/)?[^/]+/.exec(id)
    const dependent = packageOf(importer)
    // A driver, or an addition that is used if it is installed: that remains to be seen.
    if (dependent && !(name in dependent.dependencies)) return { id, external: true }
    const found = await this.resolve(id, importer, { skipSelf: true })
    const needed = packageOf(found.id)
    if (needed.name !== name) throw new Error(`${id} of ${importer} leads to ${found.id}`)
    ;(dependent?.needs ?? ownNeeds)[name] = needed.index
    return found
  },
  load: id =>
    id === entry
      ? `module.exports = {${bundled.map(name => `get '${name}'() { return require('${name}') }`).join()}}`
      : null,
}

const bundle = await rolldown({
  input: entry,
  platform: 'node',
  resolve: { conditionNames: ['node', 'require'] },
  plugins: [plugin],
  logLevel: 'silent',
})
const made = await bundle.generate({
  format: 'cjs',
  // Functions and classes keep their names: errors have those of their classes, and traces show them.
  minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
})
await bundle.close()

const print = writeOne('bundle', made.output[0].code)
const contents = { print, needs: ownNeeds, packages: packages.map(({ version, needs }) => ({ version, needs })) }
writeFileSync(path.join(output, 'bundle.json'), JSON.stringify(contents))
writeFileSync(path.join(output, 'licenses.txt'), packages.map(licenseOf).join('\n'))

function licenseOf({ folder, name, version }) {
  const file = readdirSync(folder).find(one => /^licen[cs]e/i.test(one))
  const text = file
    ? readFileSync(path.join(folder, file), 'utf8')
    : readFileSync(path.join(folder, 'package.json'), 'utf8')
  return `${name} ${version}\n\n${text.trim()}\n`
}
