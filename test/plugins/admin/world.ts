import assert from 'node:assert/strict'
import type { CommandCall, TestApp } from '../../../core/index.js'
import { admin } from '../../../plugins/admin/index.js'
import type { Admin } from '../../../plugins/admin/service.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import type { World } from '../../support/contract.js'

/** An app with editors: articles have drafts and a component, notes neither. */
export const world = {
  types: {
    article: {
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string', required: true },
        seo: { type: 'component', component: 'shared.seo' },
      },
    },
    note: { attributes: { text: { type: 'string' } } },
  },
  components: { 'shared.seo': { attributes: { metaTitle: { type: 'string' }, metaText: { type: 'string' } } } },
  plugins: [admin, draftAndPublish],
} as const satisfies World

/** The service of the plugin, for what has no command. */
export const adminOf = ({ plugins }: Pick<TestApp, 'plugins'>): Admin =>
  plugins.find(({ spec }) => spec.name === 'admin')?.service as Admin

interface Said {
  readonly lines: string[]
  readonly rows: Record<string, unknown>[]
}

/** Runs a command of the app and returns what it printed. */
export async function command(
  app: Pick<TestApp, 'commands'>,
  name: string,
  args: readonly string[] = [],
  { json = false, ...options }: Readonly<Record<string, string | boolean>> = {},
  ask?: CommandCall['ask'],
): Promise<Said> {
  const said: Said = { lines: [], rows: [] }
  const command = app.commands.find(one => one.name === name)
  assert.ok(command, `there is no command ${name}`)
  await command.run({
    ...{ args, options, json: json === true, interactive: ask !== undefined, ...(ask && { ask }) },
    print: line => said.lines.push(line),
    table: rows => said.rows.push(...rows),
  })
  return said
}
