import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { anyEngine, type Engine } from '../../../support/engines.js'
import { type OpenOptions, open, type RunningProject } from './project.js'
import type { ProjectCopy } from './scripts.js'

type Files = Readonly<Record<string, string>>

const variables = { API_TOKEN_SALT: 'written-api-token-salt', JWT_SECRET: 'written-users-jwt-secret' }

/** The files that every project has. */
const usual: Files = {
  'package.json': JSON.stringify({ name: 'written', dependencies: { '@strapi/strapi': '4.26.2' } }),
  'config/server.js': "module.exports = ({ env }) => ({ host: '127.0.0.1', port: 0, app: { keys: ['a', 'b'] } })",
  'config/middlewares.js':
    "module.exports = ['errors', 'security', 'cors', 'poweredBy', 'query', 'body', 'session', 'favicon', 'public'].map(name => 'strapi::' + name)",
}

/** A project of these files, in a folder that is gone after the test; in a workspace it is below that. */
export function written(files: Files, below = ''): ProjectCopy {
  const root = mkdtempSync(path.join(inject('folder'), 'written-'))
  const folder = path.join(root, below)
  const own = Object.entries(usual).map(([name, text]) => [path.join(below, name), text])
  for (const [name, text] of Object.entries({ ...Object.fromEntries(own), ...files } as Files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  const remove = () => rmSync(root, { recursive: true, force: true })
  onTestFinished(remove)
  return { folder, variables, remove }
}

/** Starts a project of these files on the first engine there is, or another one; it is stopped after the test. */
export const start = (files: Files, options: StartOptions = {}): Promise<RunningProject> =>
  startCopy(written(files), options)

type StartOptions = OpenOptions & { readonly engine?: Engine }

/** The same of a project that is written already. */
export async function startCopy(
  copy: ProjectCopy,
  { engine = anyEngine, ...options }: StartOptions = {},
): Promise<RunningProject> {
  const fresh = await engine.fresh()
  onTestFinished(() => fresh.drop())
  const project = await open(copy, fresh.database, options)
  let isOpen = true
  const close = async () => {
    if (isOpen) await project.close()
    isOpen = false
  }
  onTestFinished(close)
  return { ...project, close }
}

/** A schema file. */
export const schemaOf = (name: string, attributes: object = { title: { type: 'string' } }): string =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: false },
    attributes,
  })

/** Sends a GET without credentials. */
export async function get(project: RunningProject, target: string): Promise<{ status: number; body: unknown }> {
  const { status, text } = await project.send({ auth: 'none', method: 'GET', path: target })
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {}
  return { status, body }
}
