import { strict as assert } from 'node:assert'
import { describe } from 'vitest'
import { type Answer, type AttackedServer, attacks, some } from './attacked.js'
import type { Who } from './fill.js'

/** Positions of names that are shown, sorted or filtered by: NAME is replaced by it. */
const positions = [
  'fields[0]=NAME',
  'fields=NAME',
  'fields[0]=*&fields[1]=NAME',
  'sort=NAME',
  'sort=NAME:desc',
  'sort[0]=id&sort[1]=NAME',
  'sort[NAME]=asc',
  'sort[0][NAME]=desc',
  'filters[NAME]=a',
  'filters[NAME][$eq]=a',
  'filters[NAME][$startsWith]=C',
  'filters[NAME][$notNull]=true',
  'filters[NAME][$null]=false',
  'filters[NAME][$in][0]=a',
  'filters[NAME][$between][0]=a&filters[NAME][$between][1]=z',
  'filters[NAME][$not][$eq]=a',
  'filters[NAME][id][$gt]=0',
  'filters[$and][0][NAME]=a',
  'filters[$or][0][id]=1&filters[$or][1][NAME][$contains]=a',
  'filters[$not][NAME]=a',
  'filters[$not][$and][0][$or][0][NAME]=a',
  'populate=NAME',
  'populate[0]=NAME',
  'populate[NAME]=true',
  'populate[NAME][populate]=*',
  'populate=NAME.id',
]

/** A type where it is reached: its path, what leads to the place of a name, and the names that nobody may use there. */
interface NamePosition {
  readonly says: string
  readonly who: Who
  readonly path: string
  readonly into?: string
  readonly names: readonly string[]
}

const secrets = ['password', 'resetPasswordToken', 'confirmationToken']
const notes = ['secretNote', 'pin']
const places: readonly NamePosition[] = [
  {
    says: 'articles',
    who: 'visitor',
    path: '/api/articles',
    names: [...notes, 'secretTags', 'secretScan', 'vault', 'owner', 'memos'],
  },
  { says: 'one article', who: 'visitor', path: '/api/articles/1', names: notes },
  { says: 'the single type', who: 'visitor', path: '/api/homepage', names: ['secretNote', 'featured'] },
  { says: 'localizations', who: 'visitor', path: '/api/articles', into: 'localizations', names: [...notes, 'vault'] },
  { says: 'authors', who: 'editor', path: '/api/articles', into: 'author', names: notes },
  { says: 'authors of tags', who: 'visitor', path: '/api/tags', into: 'articles.author', names: [...notes, 'user'] },
  { says: 'a component', who: 'visitor', path: '/api/articles', into: 'seo', names: notes },
  { says: 'a component of a component', who: 'visitor', path: '/api/articles', into: 'seo.social', names: notes },
  { says: 'a list of components', who: 'visitor', path: '/api/articles', into: 'slides', names: [...notes, 'vault'] },
  {
    says: 'who made an article',
    who: 'visitor',
    path: '/api/articles',
    into: 'createdBy',
    names: [...secrets, 'email'],
  },
  {
    says: 'files of an article',
    who: 'visitor',
    path: '/api/articles',
    into: 'cover',
    names: ['folderPath', 'folder'],
  },
  { says: 'the list of files', who: 'editor', path: '/api/upload/files', names: ['folderPath', 'folder'] },
  { says: 'accounts', who: 'editor', path: '/api/users', names: secrets },
  { says: 'the list of accounts for a program', who: 'fullToken', path: '/api/users', names: secrets },
  { says: 'how many accounts there are', who: 'editor', path: '/api/users/count', names: secrets },
  { says: 'the own account', who: 'alice', path: '/api/users/me', names: secrets },
  { says: 'owners of articles', who: 'editor', path: '/api/articles', into: 'owner', names: secrets },
  { says: 'accounts of authors', who: 'readToken', path: '/api/articles', into: 'author.user', names: secrets },
  { says: 'accounts of a role', who: 'manager', path: '/api/users', into: 'role.users', names: secrets },
]

/** A position at the end of a way: inside populates, and as filters and sorts through it. */
function along(position: string, into: string | undefined): string[] {
  if (into === undefined) return [position]
  const steps = into.split('.')
  const populate = `populate${steps.map((step, at) => `${at > 0 ? '[populate]' : ''}[${step}]`).join('')}`
  const inside = position
    .split('&')
    .map(part => populate + part.replace(/^\w+/, '[$&]'))
    .join('&')
  const filter = position.replaceAll('filters', `filters${steps.map(step => `[${step}]`).join('')}`)
  return [
    inside,
    ...(position.startsWith('filters') ? [filter] : []),
    ...(position === 'sort=NAME' ? [`sort=${into}.NAME`, `sort[${steps.join('][')}][NAME]=desc`] : []),
    ...(position === 'populate=NAME' ? [`populate=${into}.NAME`] : []),
  ]
}

/** A name that no type has, as far from the names it has as the hidden one. */
const control = 'neverheardof'
const without = ({ status, text }: Answer, name: string): string =>
  `${status} ${text.replaceAll(name, 'NAME').replace(/"requestId":"[^"]+"/, '')}`

for (const dialect of ['spec', 'strapi4'] as const)
  describe(`what is hidden from a reader (${dialect})`, () => {
    const { attack } = attacks(`reading, ${dialect}`, { dialect })

    const controls = new Map<string, Promise<Answer>>()
    /** The response to the control, requested once: it is the same for every name. */
    const controlled = (server: AttackedServer, who: Who, path: string): Promise<Answer> => {
      const key = `${who} ${path}`
      const known = controls.get(key) ?? server.get(who, path)
      controls.set(key, known)
      return known
    }

    for (const { says, who, path, into, names } of places)
      for (const name of names)
        attack(`${name} is like a name that does not exist: ${says}`, async server => {
          const same = async (position: string) => {
            const [asked, other] = await Promise.all([
              server.get(who, `${path}?${position.replaceAll('NAME', name)}`),
              controlled(server, who, `${path}?${position.replaceAll('NAME', control)}`),
            ])
            // A relation whose target is closed is left out where it is populated, and says no more than that.
            const isLeftOut = position.startsWith('populate') && asked.status === 200
            if (isLeftOut) assert.ok(!asked.text.includes(`"${name}"`), `${path}?${position}: ${asked.text}`)
            else assert.equal(without(asked, name), without(other, control), `${path}?${position}`)
          }
          const tried = dialect === 'spec' ? positions : some(positions, 2)
          await Promise.all(tried.flatMap(position => along(position, into)).map(same))
        })

    const whole = 'populate=*'
    const deep = (depth: number, step: string) => `populate${`[${step}][populate]`.repeat(depth)}=*`
    const everything: readonly (readonly [Who, string])[] = [
      ...(['visitor', 'alice', 'editor', 'manager', 'fullToken', 'readToken'] as const).flatMap(who =>
        [
          `/api/articles?${whole}`,
          `/api/articles/1?${whole}`,
          `/api/articles?locale=all&publicationState=live&${whole}`,
          `/api/articles?${deep(1, 'author')}`,
          `/api/articles?${deep(1, 'owner')}`,
          `/api/articles?${deep(1, 'anything')}`,
          `/api/articles?${deep(1, 'slides')}`,
          `/api/articles?${deep(1, 'seo')}`,
          `/api/articles?${deep(1, 'blocks')}`,
          `/api/articles?${deep(1, 'cover')}`,
          `/api/articles?${deep(1, 'createdBy')}`,
          `/api/articles?${deep(1, 'memos')}`,
          `/api/articles?populate[tags][populate][articles][populate]=*&pagination[pageSize]=2`,
          `/api/authors?${deep(1, 'user')}`,
          `/api/authors?${deep(1, 'articles')}`,
          `/api/tags?${deep(1, 'articles')}`,
          `/api/homepage?${whole}`,
          `/api/memos?${whole}`,
          `/api/memos?${deep(1, 'owner')}`,
          `/api/memos?${deep(1, 'about')}`,
          `/api/memos/1?${whole}`,
          `/api/memos/2?${whole}`,
          `/api/users?${whole}`,
          `/api/users/1?${whole}`,
          `/api/users/me?${whole}`,
          `/api/users/me?${deep(1, 'role')}`,
          `/api/upload/files?${whole}`,
          `/api/upload/files/2?${whole}`,
          `/api/upload/files?${deep(1, 'related')}`,
          `/api/users-permissions/roles`,
          `/api/users-permissions/roles/1?${whole}`,
          `/api/users-permissions/permissions`,
          `/api/i18n/locales?${whole}`,
          `/api/api-tokens?${whole}`,
          `/api/api-tokens/1`,
        ].map(path => [who, path] as const),
      ),
    ]
    const callers = [...new Set(everything.map(([who]) => who))]
    for (const who of callers)
      attack(`no answer to ${who} holds what is hidden from them, however much is populated`, async server => {
        for (const [one, path] of everything) if (one === who) await server.get(who, path)
      })

    attack('no text search finds what is hidden', async server => {
      for (const who of callers)
        for (const path of ['/api/articles', '/api/authors', '/api/tags', '/api/users', '/api/upload/files'])
          for (const text of ['CANARYH', 'anaryhidden', '$2b$10', 'sha256$', '-reset-', 'CANARYHIDDEN 1']) {
            const { status, body } = await server.get(who, `${path}?_q=${encodeURIComponent(text)}`)
            if (status === 200) assert.deepEqual(body.data ?? body, [], `${path} ${text}`)
          }
    })

    attack('a file does not tell of entries that have it in a private attribute', async server => {
      for (const path of ['/api/upload/files/2?populate=related', '/api/articles?populate[cover][populate]=related'])
        for (const who of ['editor', 'fullToken'] as const) {
          const { text } = await server.get(who, path)
          if (path.includes('files/2')) assert.doesNotMatch(text, /article/, text)
        }
    })

    attack('an answer that one caller got is not known to another', async server => {
      for (const path of ['/api/articles?populate=*', '/api/memos', '/api/users/me', '/api/upload/files']) {
        const tags = new Map<string, Who>()
        for (const who of ['alice', 'bob', 'editor', 'fullToken'] as const) {
          // The third time, what can be kept is kept.
          const answers = [await server.get(who, path), await server.get(who, path), await server.get(who, path)]
          for (const { status, headers } of answers) if (status === 200) tags.set(String(headers.etag), who)
        }
        for (const [tag, owner] of tags)
          for (const who of ['visitor', 'nobodyToken', 'customToken'] as const) {
            const { status } = await server.send(who, 'GET', path, { headers: { 'if-none-match': tag } })
            if (path !== '/api/articles?populate=*') assert.ok(status === 401 || status === 403, `${owner} ${who}`)
          }
      }
    })
  })
