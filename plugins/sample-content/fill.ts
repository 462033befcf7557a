import { type Entries, type Host, optional, type Session } from '../../core/index.js'
import { i18n } from '../i18n/index.js'
import { makeAccount } from './account.js'
import { articles } from './articles.js'
import { makeCover } from './covers.js'
import { authors, categories, comments, homepage, tags } from './others.js'
import { translations } from './translations.js'

/** Writes the sample's entries in one transaction, into tables that are still empty. */
export async function fill(session: Session, host: Host<{ readonly password: string | undefined }>): Promise<void> {
  const [foreign] = uids.filter(uid => !host.types.types.has(uid))
  if (foreign !== undefined) throw new Error(`it fills the types of the sample app, and there is no ${foreign}`)
  const of = (name: string): Entries => host.entries(uidOf(name), session)
  for (const name of names)
    if ((await of(name).count()) > 0) {
      host.log.info('the database has content of its own; the sample content stays away')
      return
    }

  const tagIds = await writeAll(of('tag'), tags, ({ name }) => ({ key: name, data: { name } }))
  const categoryIds = await writeAll(of('category'), categories, ({ parent, ...data }, known) => ({
    key: data.slug,
    data: { ...data, parent: parent === undefined ? null : known(parent) },
  }))
  const authorIds = await writeAll(of('author'), authors, ({ mentor, ...data }, known) => ({
    key: data.handle,
    data: { ...data, mentor: mentor === undefined ? null : known(mentor) },
  }))
  const covers = new Map<string, number | undefined>()
  for (const { slug, title, cover } of articles)
    if (cover) covers.set(slug, await makeCover(host, { name: slug, words: title, colours: cover }, session))
  const articleIds = await writeAll(of('article'), articles, (article, known) => ({
    key: article.slug,
    data: {
      ...article,
      cover: covers.get(article.slug) ?? null,
      author: authorIds(article.author),
      category: categoryIds(article.category),
      tags: article.tags.map(tagIds),
      coauthors: (article.coauthors ?? []).map(authorIds),
      // Articles lead to earlier ones only, so that all are there when they are named.
      related: (article.related ?? []).map(known),
      prequel: article.prequel === undefined ? null : known(article.prequel),
    },
  }))
  for (const { of: slug, ...data } of translations)
    await host.service(optional(i18n))?.localize(of('article'), articleIds(slug), data)
  for (const { article, ...data } of comments)
    await of('comment').create({ ...data, subject: { id: articleIds(article), __type: uidOf('article') } })
  const { lead, picks, spotlight, ...page } = homepage
  await of('homepage').create({
    ...page,
    lead: articleIds(lead),
    picks: picks.map(articleIds),
    spotlight: spotlight.map(handle => ({ id: authorIds(handle), __type: uidOf('author') })),
  })
  await makeAccount(host, session)
}

const names = ['tag', 'category', 'author', 'article', 'comment', 'homepage']
const uidOf = (name: string): string => `api::${name}.${name}`
const uids = names.map(uidOf)

type IdOf = (key: string) => number

/** Entries name each other by keys of their own, because ids are the database's to give. */
async function writeAll<T>(
  entries: Entries,
  list: readonly T[],
  written: (item: T, known: IdOf) => { key: string; data: Readonly<Record<string, unknown>> },
): Promise<IdOf> {
  const ids = new Map<string, number>()
  const known: IdOf = key => {
    const id = ids.get(key)
    if (id === undefined) throw new Error(`nothing is called "${key}" up to here`)
    return id
  }
  for (const item of list) {
    const { key, data } = written(item, known)
    ids.set(key, Number((await entries.create(data)).id))
  }
  return known
}
