import Router from '@koa/router'
import Koa from 'koa'
import { koaBody } from 'koa-body'
import qs from 'qs'
import { openStore } from './store.mjs'

// A server with the same store behind the usual stack, as an expert would put it into production by hand.
function readQuery(ctx) {
  const { pagination = {}, filters = {}, ...asked } = qs.parse(ctx.querystring, { depth: 20, arrayLimit: 100 })
  return {
    page: Number(pagination.page ?? 1),
    pageSize: Number(pagination.pageSize ?? 25),
    withCount: pagination.withCount !== 'false',
    fields: asked.fields,
    populate: asked.populate ? (Array.isArray(asked.populate) ? 1 : 2) : 0,
    author: filters.author?.name.$eq,
    contains: filters.title?.$containsi,
    minViews: filters.views && Number(filters.views.$gte),
    sort: asked.sort && 't.views desc, t.id',
  }
}

function send(ctx, body) {
  if (!body) ctx.throw(404)
  ctx.type = 'json'
  ctx.body = body
}

const store = await openStore()
const router = new Router({ prefix: '/api' })
const body = koaBody()
router.get('/articles', async ctx => send(ctx, await store.list(readQuery(ctx))))
router.get('/articles/:id', async ctx => send(ctx, await store.one(Number(ctx.params.id))))
router.post('/articles', body, async ctx => send(ctx, await store.create(ctx.request.body.data)))
router.put('/articles/:id', body, async ctx =>
  send(ctx, await store.update(Number(ctx.params.id), ctx.request.body.data)),
)
new Koa().use(router.routes()).listen(Number(process.env.PORT), process.env.HOST)
