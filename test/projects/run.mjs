// Shows that packages of plugins work in a project, or why they do not: see the README of this folder.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { plugins } from './plugins.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const project = path.join(root, 'test/fixtures/code/blog-by-slug')
/** Packages of Strapi and of its panel, which nothing here runs. */
const replaced = [
  ...['@strapi/strapi', '@strapi/utils', 'react', 'react-dom', 'react-router', 'react-router-dom', 'react-intl'],
  ...['react-query', 'react-redux', 'react-window', 'react-dnd', 'react-dnd-html5-backend', 'react-flip-move'],
]
/** Routes of other plugins answer in their own shape. */
const asTheyAre = { 'strapi-transformer-ignore': 'true' }

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stele-projects-'))
try {
  build()
  prepare()
  install()
  process.exitCode = (await show()) ? 0 : 1
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}

function build() {
  must('the server is not built', process.execPath, ['.ci/build.mjs', '--outdated'], root)
}

/** The project with the plugins in its settings, and with a visitor who may ask them. */
function prepare() {
  const isPart = place => !['recorded.jsonl', 'variants', 'dot-env'].some(name => place === path.join(project, name))
  fs.cpSync(project, folder, { recursive: true, filter: isPart })
  fs.cpSync(path.join(project, 'dot-env'), path.join(folder, '.env'))
  for (const made of ['.tmp', 'public/uploads', 'nothing']) fs.mkdirSync(path.join(folder, made), { recursive: true })
  write('nothing/package.json', JSON.stringify({ name: 'nothing', version: '4.26.2' }))
  const about = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const dependencies = Object.fromEntries(plugins.map(({ package: name, version }) => [name, version]))
  // The packages take from the project the packages that Strapi brings.
  const brought = { lodash: '4.17.21', yup: '0.32.11' }
  const overrides = Object.fromEntries(replaced.map(name => [name, 'file:./nothing']))
  write('package.json', JSON.stringify({ ...about, dependencies: { ...dependencies, ...brought }, overrides }))
  const settings = plugins.map(
    ({ plugin, config }) => `  ${JSON.stringify(plugin)}: ${JSON.stringify({ enabled: true, config })},`,
  )
  fs.renameSync(path.join(folder, 'config/plugins.js'), path.join(folder, 'config-of-project.js'))
  write(
    'config/plugins.js',
    `module.exports = given => ({\n  ...require('../config-of-project.js')(given),\n${settings.join('\n')}\n})\n`,
  )
  fs.renameSync(path.join(folder, 'src/index.js'), path.join(folder, 'src/of-project.js'))
  write('src/index.js', bootstrap())
}

function bootstrap() {
  return `const project = require('./of-project.js')
module.exports = {
  register: project.register,
  async bootstrap({ strapi }) {
    await project.bootstrap({ strapi })
    const role = await strapi.query('plugin::users-permissions.role').findOne({ where: { type: 'public' } })
    for (const action of ${JSON.stringify(plugins.flatMap(({ grants = [] }) => grants))})
      await strapi.query('plugin::users-permissions.permission').create({ data: { action, role: role.id } })
${plugins.map(({ seed = '' }) => `    {\n      ${seed}\n    }`).join('\n')}
  },
}
`
}

function write(name, text) {
  fs.writeFileSync(path.join(folder, name), text)
}

function install() {
  const options = [
    '--ignore-scripts',
    '--legacy-peer-deps',
    '--omit=peer',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  must('the packages cannot be installed: is the registry of npm within reach?', 'npm', ['install', ...options], folder)
  // The project depends on what every project of Strapi depends on, as far as its package.json tells.
  const file = path.join(folder, 'package.json')
  const about = JSON.parse(fs.readFileSync(file, 'utf8'))
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(project, 'package.json'), 'utf8'))
  fs.writeFileSync(file, JSON.stringify({ ...about, dependencies: { ...dependencies, ...about.dependencies } }))
}

function must(failed, command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(failed)
}

/** Asks each plugin for its work; true where all of them do it, or say why not. */
async function show() {
  const port = await freePort()
  const log = []
  const child = spawn(process.execPath, [path.join(root, 'core/tools/cli/stele.js'), 'start'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), HOST: '127.0.0.1' },
  })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => log.push(String(text)))
  const ended = once(child, 'exit')
  try {
    const address = `http://127.0.0.1:${port}`
    const isServing = async () => (await fetch(`${address}/api/categories`).catch(() => undefined))?.ok
    await until(async () => child.exitCode !== null || (await isServing()), log)
    if (child.exitCode !== null) throw new Error(`the server does not start:\n${log.join('')}`)
    const ask =
      (method, body) =>
      async (target, headers = asTheyAre) => {
        const sent = body && { body: JSON.stringify(body) }
        const response = await fetch(address + target, {
          method,
          ...sent,
          headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        })
        const text = await response.text()
        return { status: response.status, body: text === '' ? undefined : asJson(text) }
      }
    const client = { get: ask('GET'), post: (target, body) => ask('POST', body)(target) }
    let isGood = true
    for (const plugin of plugins) isGood = (await showOne(plugin, client, log)) && isGood
    if (!isGood)
      console.log(
        log
          .join('')
          .split('\n')
          .filter(line => /"level":[56]0/.test(line))
          .slice(0, 20)
          .join('\n'),
      )
    return isGood
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

async function showOne({ package: name, version, says, shows }, client, log) {
  try {
    await shows(client)
    const [, why] = says ? (says.exec(asText(log)) ?? []) : []
    if (says && why === undefined) throw new Error(`the log does not say ${says}`)
    console.log(why === undefined ? `${name} ${version} works` : `${name} ${version} is left aside: ${why}`)
    return true
  } catch (error) {
    console.log(`${name} ${version} fails: ${error.message}`)
    return false
  }
}

/** The sentences of the log. */
function asText(log) {
  const lines = log.join('').split('\n').map(asJson)
  return lines.map(line => (typeof line === 'string' ? line : line.msg)).join('\n')
}

function asJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function until(isReached, log) {
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(200)) if (await isReached()) return
  throw new Error(`the server does not answer:\n${log.join('')}`)
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
