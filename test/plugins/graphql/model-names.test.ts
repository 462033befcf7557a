import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import {
  enumNameOf,
  isName,
  listRootOf,
  membersOf,
  nameOf,
  rootOf,
  zoneNameOf,
} from '../../../plugins/graphql/model/names.js'

const typeOf = (uid: string, singularName: string, pluralName: string) => ({
  ...{ uid, singularName, pluralName },
  kind: uid.includes('::') ? ('collectionType' as const) : ('component' as const),
})
const api = (singular: string, plural: string) => typeOf(`api::${singular}.${singular}`, singular, plural)

describe('names of content types', () => {
  const rows = [
    [api('article', 'articles'), 'Article', 'article', 'articles'],
    [api('blog-post', 'blog-posts'), 'BlogPost', 'blogPost', 'blogPosts'],
    [api('news', 'news-items'), 'News', 'news', 'newsItems'],
    [api('faq2', 'faq2s'), 'Faq2', 'faq2', 'faq2S'],
    [api('my-settings', 'my-settings-list'), 'MySettings', 'mySettings', 'mySettingsList'],
    [typeOf('plugin::upload.file', 'file', 'files'), 'UploadFile', 'uploadFile', 'uploadFiles'],
    [typeOf('plugin::upload.folder', 'folder', 'folders'), 'UploadFolder', 'uploadFolder', 'uploadFolders'],
    [
      typeOf('plugin::users-permissions.user', 'user', 'users'),
      ...['UsersPermissionsUser', 'usersPermissionsUser', 'usersPermissionsUsers'],
    ],
    [typeOf('plugin::i18n.locale', 'locale', 'locales'), 'I18NLocale', 'i18NLocale', 'i18NLocales'],
  ] as const
  for (const [type, name, one, list] of rows)
    it(`${type.uid} is ${name}`, () =>
      assert.deepEqual([nameOf(type), rootOf(type), listRootOf(type)], [name, one, list]))
})

it('components are named by their category and their own name', () => {
  const names = ['shared.rich-text', 'page-parts.big-banner2', 'ui.api-key'].map(uid => nameOf(typeOf(uid, '', '')))
  assert.deepEqual(names, ['ComponentSharedRichText', 'ComponentPagePartsBigBanner2', 'ComponentUiApiKey'])
})

it('enums and zones are named by their type and attribute', () => {
  const field = (name: string, more = {}) => ({ name, attribute: { type: 'enumeration', ...more } })
  const post = api('blog-post', 'blog-posts')
  assert.equal(enumNameOf(post, field('state2')), 'ENUM_BLOGPOST_STATE2')
  assert.equal(enumNameOf(typeOf('shared.social', '', ''), field('network')), 'ENUM_COMPONENTSHAREDSOCIAL_NETWORK')
  assert.equal(enumNameOf(post, field('state2', { enumName: 'State' })), 'State')
  assert.equal(zoneNameOf(post, 'zone_one'), 'BlogPostZoneOneDynamicZone')
})

describe('members of enums', () => {
  const of = (...texts: string[]) => Object.fromEntries(membersOf(texts))
  it('are plain letters, digits and underscores', () =>
    assert.deepEqual(of('two words', 'a-b', 'Ünï', 'news'), {
      two_words: 'two words',
      a_b: 'a-b',
      Ueni: 'Ünï',
      news: 'news',
    }))
  it('are names that GraphQL takes', () => {
    const members = of('true', '1st', '', '日本', '__typename')
    assert.equal(Object.keys(members).length, 5)
    for (const name of Object.keys(members)) assert.ok(isName(name) && name !== 'true', name)
  })
  it('differ, whatever their texts have in common', () =>
    assert.deepEqual(of('a b', 'a-b', 'a_b'), { a_b: 'a b', a_b_2: 'a-b', a_b_3: 'a_b' }))
})
