import assert from 'node:assert/strict'
import { it } from 'vitest'
import { admin } from '../../../plugins/admin/index.js'
import { contentConsole } from '../../../plugins/console/index.js'
import { upload } from '../../../plugins/upload/index.js'
import { contract } from '../../support/contract.js'
import { temporaryFolder } from '../upload/world.js'
import { signIn } from './world.js'

const media = { type: 'media' } as const

contract(
  'what uses a file',
  {
    types: {
      page: {
        attributes: {
          title: { type: 'string' },
          cover: media,
          gallery: { type: 'media', multiple: true },
          seo: { type: 'component', component: 'shared.seo' },
          blocks: { type: 'dynamiczone', components: ['shared.slides', 'shared.seo'] },
        },
      },
    },
    components: {
      'shared.seo': { attributes: { image: media } },
      'shared.slides': { attributes: { slides: { type: 'component', repeatable: true, component: 'shared.seo' } } },
    },
    plugins: [[admin, { ratelimit: { enabled: false } }], contentConsole, [upload, { folder: temporaryFolder() }]],
  },
  api => {
    it('is found by attribute, through components, lists of them and zones', async () => {
      const stored = { hash: 'x', mime: 'image/png', size: 1, url: '/uploads/x.png', provider: 'local' }
      const make = async (name: string) =>
        Number((await api.app.entries('plugin::upload.file').create({ name, ...stored })).id)
      const [file, other] = [await make('used'), await make('unused')]
      const page = async (data: object) => Number((await api.app.entries('api::page.page').create(data as never)).id)
      const [cover, gallery, seo] = [
        await page({ cover: file }),
        await page({ gallery: [other, file] }),
        await page({ seo: { image: file } }),
      ]
      const slide = await page({
        blocks: [{ __component: 'shared.slides', slides: [{ image: other }, { image: file }] }],
      })
      const block = await page({ blocks: [{ __component: 'shared.seo', image: file }] })
      const ada = await signIn(api.app, 'Super Admin', 'ada@example.test')
      const { status, body, text } = await ada.get(`/console/links/plugin::upload.file/${file}`)
      assert.equal(status, 200, text)
      assert.deepEqual(
        body.data.map(
          ({ attribute, total, entries }: { attribute: string; total: number; entries: { id: number }[] }) => [
            attribute,
            total,
            entries.map(({ id }) => id),
          ],
        ),
        [
          ['cover', 1, [cover]],
          ['gallery', 1, [gallery]],
          ['seo.image', 1, [seo]],
          ['blocks.slides.image', 1, [slide]],
          ['blocks.image', 1, [block]],
        ],
      )
    })
  },
)
