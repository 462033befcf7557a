import { type Check, type ContentType, change, type LinkStorage, rowsOf } from '../../core/index.js'
import { isLocalized } from './content-types.js'
import type { I18n } from './index.js'

export const checks: readonly Check<I18n>[] = [
  {
    name: 'locales',
    describe: 'entries are in locales that there are',
    async run({ locales, types, store, app }, report) {
      if (!locales.has(locales.default))
        report({
          severity: 'error',
          says: `the default locale is ${locales.default}, and there is no such locale`,
          advice: `\`stele locale add ${locales.default}\` makes it, \`stele locale default\` chooses another`,
        })
      for (const type of localized(types)) {
        const column = columnOf(type)
        const rows = await rowsOf(store.reader, store.knex(type.table).select(column).count().groupBy(column))
        const unknown = rows.filter(([code]) => code !== null && !locales.has(code))
        if (unknown.length > 0)
          report({
            severity: 'warning',
            says: `entries of ${type.uid} in locales that do not exist, which no request finds: ${total(unknown)}`,
            examples: unknown.map(([code, count]) => `${code} (${count})`),
            advice: '`stele locale add` makes a locale, and its entries are there again',
          })
        const without = rows.filter(([code]) => code === null)
        if (without.length > 0)
          report({
            severity: 'note',
            says: `entries of ${type.uid} in no locale: ${total(without)}`,
            advice:
              app.project === 'stele'
                ? 'the next start takes them to be in the default one'
                : 'no request finds them, here as in Strapi 4',
          })
      }
    },
  },
  {
    name: 'localizations',
    describe: 'localizations of an entry know each other, one for each locale',
    async run(i18n, report) {
      for (const type of localized(i18n.types)) {
        const { oneSided, doubled } = await wrongPairs(i18n, type)
        if (doubled.length > 0)
          report({
            severity: 'warning',
            says: `pairs of ${type.uid} that are localizations of each other in the same locale: ${doubled.length}`,
            examples: doubled.map(({ from, to }) => `id ${from} and id ${to}`),
            advice: `decide which of the two it is, and delete the other, or its rows in ${linksOf(type).table}`,
          })
        if (oneSided.length > 0)
          report({
            severity: 'warning',
            says: `localizations of ${type.uid} that are known from one side only: ${oneSided.length}`,
            examples: oneSided.map(({ from, to }) => `id ${to} of id ${from}`),
            advice: 'the entry at the other end does not list them',
            fix: { does: 'links them from both sides', run: () => linkBack(i18n, type, oneSided) },
          })
      }
    },
  },
]

const localized = ({ types }: I18n['types']): ContentType[] => [...types.values()].filter(isLocalized)

const columnOf = ({ fields }: ContentType): string => fields.get('locale')?.column as string

const total = (rows: readonly (readonly unknown[])[]): number => rows.reduce((all, [, count]) => all + Number(count), 0)

const linksOf = ({ links }: ContentType) =>
  links.get('localizations')?.storage as Extract<LinkStorage, { via: 'table' }> & { readonly order: string }

interface Pair {
  readonly from: number
  readonly to: number
}

/** Pairs without their reverse, and impossible pairs: those of one locale. */
async function wrongPairs({ store }: I18n, type: ContentType): Promise<{ oneSided: Pair[]; doubled: Pair[] }> {
  const { knex, reader } = store
  const { table, from, to } = linksOf(type)
  const column = columnOf(type)
  const { gone } = type
  const pairs = () => {
    const query = knex(`${table} as l`)
      .join(`${type.table} as a`, 'a.id', `l.${from}`)
      .join(`${type.table} as b`, 'b.id', `l.${to}`)
      .select(`l.${from}`, `l.${to}`)
      .orderBy('l.id')
    // Deleted entries join their localizations again when they are restored.
    return gone ? query.whereNull(`a.${gone.column}`).whereNull(`b.${gone.column}`) : query
  }
  const missing = pairs()
    .leftJoin(`${table} as r`, join => join.on(`r.${from}`, `l.${to}`).andOn(`r.${to}`, `l.${from}`))
    .whereNull('r.id')
    .whereRaw('?? <> ??', [`a.${column}`, `b.${column}`])
  const same = pairs().whereRaw('?? = ??', [`a.${column}`, `b.${column}`])
  const read = async (query: typeof missing) =>
    (await rowsOf(reader, query)).map(([from, to]) => ({ from: Number(from), to: Number(to) }))
  const doubled = await read(same)
  return { oneSided: await read(missing), doubled: doubled.filter(once) }
}

/** A pair that is told in both directions is one. */
const once = ({ from, to }: Pair, _: number, all: readonly Pair[]): boolean =>
  from < to || !all.some(other => other.from === to && other.to === from)

async function linkBack({ store }: I18n, type: ContentType, pairs: readonly Pair[]): Promise<void> {
  const { knex } = store
  const { table, from, to, order } = linksOf(type)
  await store.transaction(async session => {
    for (const pair of pairs) {
      const [row] = await rowsOf(session, knex(table).max(order).where(from, pair.to))
      await change(
        session,
        knex(table).insert({ [from]: pair.to, [to]: pair.from, [order]: Number(row?.[0] ?? 0) + 1 }),
      )
    }
  })
}
