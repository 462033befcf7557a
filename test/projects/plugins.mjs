import assert from 'node:assert/strict'

/**
 * The packages, each with its name among plugins, its settings, the permissions of visitors that it needs, code that runs
 * when the server has started (`seed`), and what shows that it works. `says` is in the log of a package that is left aside.
 */
export const plugins = [
  {
    package: 'strapi-plugin-populate-deep',
    version: '3.0.1',
    plugin: 'strapi-plugin-populate-deep',
    config: { defaultDepth: 3 },
    async shows({ get }) {
      const deep = await get('/api/categories?populate=deep&sort=id')
      const [post] = deep.body.data[0].attributes.posts.data
      assert.equal(post.attributes.author.data.attributes.name, 'Ada')
      const flat = await get('/api/categories?populate=posts&sort=id')
      assert.equal(flat.body.data[0].attributes.posts.data[0].attributes.author, undefined)
    },
  },
  {
    package: 'strapi-plugin-transformer',
    version: '3.1.2',
    plugin: 'transformer',
    config: { responseTransforms: { removeAttributesKey: true, removeDataKey: true } },
    async shows({ get }) {
      const { body } = await get('/api/categories?populate=posts&sort=id', {})
      assert.equal(body.data[0].name, 'News')
      assert.equal(body.data[0].posts[0].title, 'First steps')
    },
  },
  {
    package: 'strapi-plugin-slugify',
    version: '2.3.8',
    plugin: 'slugify',
    config: { contentTypes: { category: { field: 'slug', references: 'name' } }, slugifyWithCount: true },
    grants: ['plugin::slugify.slugController.findSlug'],
    seed: `for (const name of ['Long Reads', 'Long Reads']) await strapi.entityService.create('api::category.category', { data: { name } })`,
    async shows({ get }) {
      const first = await get('/api/slugify/slugs/category/long-reads')
      assert.equal(first.body.data.attributes.name, 'Long Reads')
      const second = await get('/api/slugify/slugs/category/long-reads-2')
      assert.equal(second.body.data.attributes.slug, 'long-reads-2')
      assert.equal((await get('/api/slugify/slugs/category/nothing')).status, 404)
    },
  },
  {
    package: 'strapi-plugin-menus',
    version: '1.6.1',
    plugin: 'menus',
    config: {},
    grants: ['find', 'findOne', 'create']
      .map(action => `plugin::menus.menu.${action}`)
      .concat('plugin::menus.menu-item.find'),
    async shows({ get, post }) {
      const items = [
        { createId: 'a', title: 'Home', url: '/', order: 0 },
        { createId: 'b', title: 'Blog', url: '/blog', order: 1 },
      ]
      const made = await post('/api/menus', { data: { title: 'Main', slug: 'main', items } })
      assert.equal(made.status, 200, JSON.stringify(made.body))
      const again = await post('/api/menus', { data: { title: 'Main', slug: 'main', items: [] } })
      assert.equal(again.status, 400)
      const { body } = await get('/api/menus?nested&populate=*')
      assert.deepEqual(
        body.data[0].attributes.items.data.map(({ attributes }) => attributes.title),
        ['Home', 'Blog'],
      )
    },
  },
  {
    package: 'strapi-plugin-navigation',
    version: '2.5.6',
    plugin: 'navigation',
    config: { contentTypes: ['api::post.post'], contentTypesNameFields: { 'api::post.post': ['title'] } },
    grants: ['plugin::navigation.client.render', 'plugin::navigation.client.readAll'],
    seed: `const [master] = await strapi.entityService.findMany('plugin::navigation.navigation')
      const item = { menuAttached: true, master: master.id, order: 1 }
      const make = data => strapi.entityService.create('plugin::navigation.navigation-item', { data: { ...item, ...data } })
      const shop = await make({ type: 'WRAPPER', title: 'Shop', path: '/shop', uiRouterKey: 'shop' })
      await make({ type: 'EXTERNAL', title: 'Sale', externalPath: 'https://shop.example/sale', uiRouterKey: 'sale', parent: shop.id })`,
    async shows({ get }) {
      const all = await get('/api/navigation')
      assert.equal(all.body[0].slug, 'main-navigation', JSON.stringify(all.body))
      const tree = await get(`/api/navigation/render/${all.body[0].slug}?type=TREE`)
      assert.equal(tree.body[0].title, 'Shop', JSON.stringify(tree.body))
      assert.equal(tree.body[0].items?.[0].title, 'Sale', JSON.stringify(tree.body))
    },
  },
  {
    package: 'strapi-plugin-rest-cache',
    version: '4.2.9',
    plugin: 'rest-cache',
    config: {
      provider: { name: 'memory', options: { max: 100 } },
      strategy: { contentTypes: ['api::category.category'] },
    },
    says: /the plugin rest-cache is not loaded: (.+)/,
    async shows({ get }) {
      assert.equal((await get('/api/categories')).status, 200)
    },
  },
]
