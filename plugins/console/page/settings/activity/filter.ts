/** A record as `GET /audit/records` has it. */
export interface Record {
  readonly id: number
  readonly at: string
  readonly event: string
  readonly uid: string | null
  readonly entry: number | null
  readonly actor: string
  readonly name: string | null
  readonly address: string | null
  readonly request: string | null
  readonly changes: Readonly<{ [name: string]: { readonly from?: unknown; readonly to?: unknown } }> | null
  readonly intact: boolean
}

const names = ['who', 'event', 'type', 'entry', 'since', 'until'] as const

/** Filters by their names in addresses and requests. */
export type Filter = { readonly [name in (typeof names)[number]]?: string }

/** The filters of an address; what is empty is none. */
export function filterIn(search: string): Filter {
  const sent = new URLSearchParams(search)
  return Object.fromEntries(names.map(name => [name, sent.get(name) ?? '']).filter(([, value]) => value !== ''))
}

export const events = [
  ...(['entry.create', 'entry.update', 'entry.delete', 'entry.restore', 'entry.purge'] as const),
  ...(['webhook.create', 'webhook.update', 'webhook.delete'] as const),
  ...(['schema-write', 'schema-write.refused', 'schema-write.undone'] as const),
  ...(['sign-in', 'sign-in.refused', 'refused'] as const),
]
