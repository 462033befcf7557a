import {
  ApplicationError,
  BootError,
  type Caller,
  type CommandCall,
  type ContentType,
  change,
  type Definition,
  definePlugin,
  flag,
  type Host,
  type LinkType,
  late,
  NotFoundError,
  type Route,
  type RouteCall,
  type TypeOutline,
  UnauthorizedError,
  where,
} from '../../../core/index.js'

declare module '../../../core/index.js' {
  interface TypeOptions {
    /** Readers may like the entries. */
    likes?: boolean
  }
}

const likeUid = 'plugin::likes.like'

/** Likes of readers. The index keeps a reader from liking an entry twice, also by requests at the same time. */
const likeType: Definition = {
  uid: likeUid,
  source: 'plugins/likes.ts',
  schema: {
    kind: 'collectionType',
    collectionName: 'likes',
    info: { singularName: 'like', pluralName: 'likes', displayName: 'Like' },
    attributes: {
      type: { type: 'string', required: true },
      entry: { type: 'integer', required: true },
      reader: { type: 'string', required: true },
    },
    indexes: [{ attributes: ['type', 'entry', 'reader'], unique: true }],
  },
}

/** Leads from an entry to its likes: they name the entry, so nothing else is stored. */
const likesOfEntry: LinkType = {
  name: 'likes',
  kind: 'link',
  link: ({ uid }) => ({
    many: true,
    shape: 'data',
    targets: [likeUid],
    polymorphic: true,
    storage: { via: 'target', column: 'entry', match: { type: uid } },
  }),
}

/** Readers like entries, and every response shows how many do. */
export const likes = definePlugin({
  name: 'likes',
  config: {
    type: 'object',
    properties: { most: { type: 'integer', minimum: 1, default: 1000 } },
  },
  words: { options: { likes: { type: 'boolean' } } },
  appliesTo: ({ kind, options }) => kind === 'collectionType' && options.likes === true,
  contentTypes: [likeType],
  attributes: {
    likeCount: { type: 'integer', default: 0, writable: false },
    likes: { type: 'likes', private: true, writable: false },
  },
  fieldTypes: [likesOfEntry],
  params: {
    liked: { ...flag(), describe: 'true: only what the caller likes', actions: ['find'] },
  },
  register: host => host,
  hooks: {
    beforeFind(query, { params }) {
      if (!params.liked || query.use !== 'root') return query
      return where(query, { likes: { reader: { $eq: late(readerOf) } } })
    },
    async afterWrite({ id }, { write, type, session }, { store }) {
      if (write.action !== 'delete') return
      await change(session, store.knex('likes').where({ type: type.uid, entry: id }).delete())
    },
  },
  routes: [likeRoutes],
  commands: [
    {
      name: 'likes top',
      describe: 'list the ten entries of a type that are liked most',
      arguments: [{ name: 'type', describe: 'the singular name of the type', required: true }],
      run: listTop,
    },
  ],
  once: [
    {
      forEach: 'type',
      async run({ type, session }, { store }) {
        await change(session, countAgain(store, type))
      },
    },
  ],
})

type Service = Host<{ readonly most: number }>

/** The name under which a reader likes; visitors and programs have no account, and so none. */
const readerOf = ({ id }: Caller): string | null => (id === undefined ? null : String(id))

function likeRoutes({ uid, pluralName }: TypeOutline): Route<Service>[] {
  const path = `/${pluralName}/:id/likes`
  return [
    {
      method: 'POST',
      path,
      action: 'like',
      describe: 'like an entry',
      body: 'none',
      run: call => say(true, uid, call),
    },
    { method: 'DELETE', path, action: 'like', describe: 'like it no more', run: call => say(false, uid, call) },
  ]
}

/** Lets the caller like an entry, or no more. Asking for what is so already changes nothing. */
async function say(likes: boolean, uid: string, { caller, params, content, service }: RouteCall<Service>) {
  const reader = readerOf(caller)
  if (reader === null) throw new UnauthorizedError('Only who has an account can like something')
  // The caller reads the entry: a hidden one is not found, so no response reveals that it exists.
  await content.findOne(uid, params.id, { query: 'fields[0]=id' })
  await setLike(service, { type: uid, entry: Number(params.id), reader }, likes)
  return content.findOne(uid, params.id, { query: 'fields[0]=likeCount' })
}

interface Like {
  readonly type: string
  readonly entry: number
  readonly reader: string
}

function setLike({ config, store, types, entries }: Service, like: Like, likes: boolean): Promise<void> {
  const { knex } = store
  const type = types.get(like.type)
  return store.transaction(async session => {
    // Locks the entry: other requests that like or delete it wait, and then see what was done here.
    const locked = knex(type.table).where({ id: like.entry }).update({ id: like.entry })
    if ((await change(session, locked)).changes === 0) throw new NotFoundError()
    const all = entries(likeUid, session)
    const found = await all.first({ where: { ...like } })
    if ((found !== undefined) === likes) return
    if (found) await all.delete(Number(found.id))
    else {
      const { type, reader } = like
      if ((await all.count({ type, reader })) >= config.most)
        throw new ApplicationError(`A reader can like at most ${config.most} entries`)
      await all.create({ ...like })
    }
    await change(session, countAgain(store, type).where({ id: like.entry }))
  })
}

/** Sets the count of all entries of a type to what the likes say. */
function countAgain({ knex }: Service['store'], { uid, table, fields }: ContentType) {
  const ofEntry = knex('likes')
    .count('*')
    .where('likes.type', uid)
    .where('likes.entry', knex.ref(`${table}.id`))
  return knex(table).update({ [fields.get('likeCount')?.column ?? '']: ofEntry })
}

async function listTop({ args: [name], table }: CommandCall, { types, entries }: Service): Promise<void> {
  const type = [...types.types.values()].find(type => type.singularName === name && type.options.likes)
  if (!type) throw new BootError(`there is no type "${name}" whose entries can be liked`)
  const where = { likeCount: { $gt: 0 } }
  const best = await entries(type.uid).find({ where, sort: ['likeCount:desc', 'id'], limit: 10 })
  table(best.map(({ id, likeCount }) => ({ id, likes: likeCount })))
}
