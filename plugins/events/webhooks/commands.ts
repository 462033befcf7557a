import { BootError, type Command, type CommandCall } from '../../../core/index.js'
import { nearest, readId } from '../../../core/plugin-kit.js'
import type { Events } from '../service.js'
import type { State } from './deliveries.js'
import type { Webhook } from './webhook.js'

const named = { name: 'webhook', describe: 'the name of a webhook' }

export const commands: readonly Command<Events>[] = [
  {
    name: 'webhook list',
    describe: 'list the webhooks and the state of their deliveries',
    run: list,
  },
  {
    name: 'webhook deliveries',
    describe: 'list the latest deliveries, and those that are pending',
    arguments: [named],
    options: [
      { flags: '--state <state>', describe: 'only those', choices: ['pending', 'done', 'failed'] },
      { flags: '--limit <count>', describe: 'how many', default: '50' },
    ],
    run: deliveries,
  },
  {
    name: 'webhook test',
    describe: 'send a test to a webhook, and show its response',
    arguments: [{ ...named, required: true }],
    run: test,
  },
  {
    name: 'webhook replay',
    describe: 'send a delivery again by its number, or all of a webhook that have failed',
    arguments: [{ name: 'delivery', describe: 'the number of a delivery, or the name of a webhook', required: true }],
    run: replay,
  },
  {
    name: 'webhook enable',
    describe: 'enable a webhook that was disabled by a 410 response',
    arguments: [{ ...named, required: true }],
    run: enable,
  },
]

async function webhookOf(name: string, { webhooks }: Events): Promise<Webhook> {
  await webhooks.read()
  const found = webhooks.all.find(webhook => webhook.name === name || webhook.key === name)
  if (found) return found
  const names = webhooks.all.map(webhook => webhook.name)
  const meant = nearest(name, names)
  const hint = meant === undefined ? `there are ${names.join(', ') || 'none'}` : `did you mean "${meant}"?`
  throw new BootError(`there is no webhook "${name}": ${hint}`)
}

async function list({ table }: CommandCall, { management }: Events): Promise<void> {
  const rows = (await management.list()).map(({ name, from, url, events, types, state, behind }) => ({
    ...{ name, from, state: state === 'stopped' ? 'stopped by a 410' : state, url },
    ...{ events: events.join(' '), types: types?.join(' ') ?? '', behind },
  }))
  table(rows)
}

async function deliveries({ args: [name], options, table, json }: CommandCall, events: Events): Promise<void> {
  const webhook = name === undefined ? undefined : (await webhookOf(name, events)).key
  const limit = readId(options.limit)
  if (limit === undefined) throw new BootError(`--limit is ${JSON.stringify(options.limit)}; expected a number from 1`)
  const isEmpty = await events.outbox.isEmpty()
  const found = isEmpty
    ? []
    : await events.webhooks.deliveries.list({ webhook, limit, state: options.state as State | undefined })
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  table(
    found.map(({ id, webhook, name, subject, state, tries, status, took, tried, due, reply, body }) => ({
      ...{ id, webhook, event: name, subject, state, tries, status, ms: took, tried: time(tried) },
      next: state === 'pending' ? time(due) : null,
      ...(json ? { reply, body: JSON.parse(body) } : { reply: (reply ?? '').slice(0, 60) }),
    })),
  )
}

async function test({ args: [name = ''], print, json }: CommandCall, events: Events): Promise<void> {
  const webhook = await webhookOf(name, events)
  const result = await events.management.test(webhook).catch((error: Error) => error)
  if (result instanceof Error) throw new BootError(`${webhook.url} was not reached: ${result.message}`)
  const { status, ms, reply, taken } = result
  if (json) print(JSON.stringify({ status, ms, reply }))
  else print(`${webhook.url} answered ${status} after ${ms} ms${reply === '' ? '' : `: ${reply}`}`)
  if (!taken) throw new BootError('that is no 2xx, so a delivery would be tried again')
}

async function replay({ args: [wanted = ''], print, json }: CommandCall, events: Events): Promise<void> {
  const id = readId(wanted)
  const count = await events.management.replay(
    id === undefined ? { webhook: (await webhookOf(wanted, events)).key } : { id },
  )
  if (id !== undefined && count === 0)
    throw new BootError(`there is no delivery ${id} that could be sent again; \`stele webhook deliveries\` lists them`)
  print(json ? JSON.stringify({ count }) : `${count === 1 ? '1 delivery is' : `${count} deliveries are`} sent again.`)
}

async function enable({ args: [name = ''], print, json }: CommandCall, events: Events): Promise<void> {
  const webhook = await webhookOf(name, events)
  if (!webhook.enabled) throw new BootError(`${name} is disabled where it is declared; that cannot be changed here`)
  await events.management.enable(webhook)
  print(json ? JSON.stringify({ enabled: name }) : `${name} is notified of events again, from where it had stopped.`)
}
