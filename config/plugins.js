// Eleven of the plugins that come with stele; the README lists all. Without its line, or with false, a plugin's part of the server is not there.
export default {
  // Accounts and roles. What each role may do stands in config/permissions.js.
  'users-permissions': true,
  // Tokens for programs: `stele token create` makes one.
  'api-tokens': true,
  // Drafts, for the types that say `options.draftAndPublish`.
  'draft-and-publish': true,
  // Languages, for the types that say `pluginOptions.i18n.localized`; the first one is English.
  i18n: { config: { locales: ['de', 'fr'] } },
  // Queries as a JSON body: QUERY /articles and POST /articles/query.
  'query-body': true,
  // Files, and attributes of the type `media`.
  upload: true,
  // Accounts of people who write content, and their page at /console; a terminal shows a link that makes the first one.
  admin: true,
  console: true,
  // A page at /explorer that builds and sends requests, and one at / that says what runs here.
  explorer: true,
  // The document that describes the API, at /openapi.json: every client may read it while the app is developed.
  openapi: true,
  // Fills an empty database with the articles, authors and tags that the README shows. Turn it off for content of your own.
  'sample-content': true,
}
