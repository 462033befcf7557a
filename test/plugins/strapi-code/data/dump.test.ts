import { test } from 'vitest'
import { createTestApp, definePlugin } from '/work/wt/code/core/index.js'
test('x', async () => {
  let host: any
  const p = definePlugin({ name: 'peek', register: (h: any) => { host = h; return {} } })
  const app = await createTestApp({ plugins: [p as any], config: { plugins: { i18n: {enabled:true}, 'draft-and-publish': {enabled: true}, upload: {enabled: true}, 'users-permissions': {enabled:true, config: {jwtSecret: 'sdfsdfsdfsdfsdfsdfsdfsdfsdfsdfsdfsdfsdfsdf'}} } } as any,
   components: { 's.part': { attributes: { t: { type: 'string' } } } },
   types: { tag: { attributes: { name: { type: 'string' }, items: {type:'relation', relation:'manyToMany', target:'api::item.item', mappedBy:'tags'} } },
    item: { options: {draftAndPublish: true}, pluginOptions: {i18n:{localized: true}}, attributes: { title: { type: 'string', required: true }, secret: {type:'password'}, tags: {type:'relation', relation:'manyToMany', target:'api::tag.tag', inversedBy:'items'}, main: {type:'relation', relation:'manyToOne', target:'api::tag.tag'}, part: {type:'component', component:'s.part'}, zone: {type:'dynamiczone', components:['s.part']}, pic: {type:'media', multiple: true}}} } })
  for (const uid of ['api::item.item','plugin::upload.file','s.part','admin::user','plugin::users-permissions.role']) {
    const t = host.types.get(uid)
    console.log(uid, t.table, t.kind, t.singularName, [...t.fields.values()].map((f: any) => [f.name, f.column, f.type.as, f.readable, f.writable].join('|')).join(' '), Object.keys(t.attributes).join())
    for (const l of t.links.values()) console.log('  ', l.name, JSON.stringify({ many: l.many, shape: l.shape, targets: l.targets, storage: l.storage, embedded: l.embedded, exclusive: l.exclusive, owning: l.owning, poly: l.polymorphic, inverse: l.inverse, only: l.only, attr: l.attribute, readable: l.readable }))
  }
  console.log([...host.types.types.keys()].join(' '))
  const [rows] = [await host.store.reader.all("select sql from sqlite_master where name in ('items','items_tags_links','items_components','files_related_morphs','strapi_core_store_settings')", [])]
  console.log(rows.join('\n'))
  await app.close()
})
