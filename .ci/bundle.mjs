import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'

/**
 * Makes the bundle that is published, dist/bundle/, of the sources and of the packages that every start needs: finding and
 * opening hundreds of files takes longer than running them. A file that something loads by its name keeps its place.
 *
 *   --external   leaves all packages outside, so that instrumentations can change them as they are loaded
 */
const root = path.resolve(import.meta.dirname, '..')
const folder = path.join(root, 'dist/bundle')
// biome-ignore format: a list
const packages = ['@koa/cors', '@koa/router', 'ajv', 'commander', 'knex', 'koa', 'lru-cache', 'objection', 'pino', 'qs', 'tarn']
const { dependencies, optionalDependencies, peerDependencies } = readPackage(root)
/** Optional imports of drivers and other packages, which the bundle does not need to find. */
const missing = ['better-sqlite3', 'mariadb/callback', 'mysql', 'oracledb', 'pg-query-stream', 'sqlite3', 'tedious']

const sourcesIn = place =>
  readdirSync(path.join(root, place), { withFileTypes: true }).map(
    entry => `${place}/${entry.name.replace(/\.ts$/, '')}`,
  )
const server = [
  'core/index',
  'core/plugin-kit',
  'core/tools/cli/run',
  ...sourcesIn('core/tools/cli/commands'),
  ...sourcesIn('plugins').flatMap(plugin =>
    ['index', 'entry-meta', 'schema-words', 'before-settings'].map(name => `${plugin}/${name}`),
  ),
  'plugins/upload/images/image-process',
]
const inside = process.argv.includes('--external') ? [] : packages
const outside = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  .filter(name => !inside.includes(name))
  .concat(missing)

rmSync(folder, { recursive: true, force: true })
const written = await bundle(server, {
  external: id => outside.some(name => id === name || id.startsWith(`${name}/`)),
  groups: [
    { name: 'packages', test: /\/node_modules\// },
    { name: 'server', test: /\/(core|plugins)\//, minShareCount: 2 },
  ],
})
// It runs in browsers, too, and shares nothing with the server.
await bundle(['plugins/typescript/client/index'], { external: () => false, groups: [] })
writeFileSync(path.join(folder, 'licenses.txt'), foldersOf(written).map(licenseOf).join('\n'))

async function bundle(names, { external, groups }) {
  const input = Object.fromEntries(
    names.map(name => [name, path.join(root, `${name}.ts`)]).filter(([, file]) => existsSync(file)),
  )
  const build = await rolldown({ input, external, platform: 'node', logLevel: 'silent' })
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups },
    comments: false,
  })
  await build.close()
  return output
}

/** The folders of the packages that are in it. */
function foldersOf(output) {
  const files = output.flatMap(({ moduleIds = [] }) => moduleIds)
  const folders = files.map(file => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
  return [...new Set(folders.filter(Boolean))].sort()
}

function licenseOf(place) {
  const { name, version } = readPackage(place)
  const file = readdirSync(place).find(one => /^licen[cs]e/i.test(one)) ?? 'package.json'
  return `${name} ${version}\n\n${readFileSync(path.join(place, file), 'utf8').trim()}\n`
}

function readPackage(place) {
  return JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'))
}
