import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { readPath } from '../../../../plugins/strapi-code/http/paths.js'

describe('a path of a Strapi 4 project', () => {
  const cases = [
    { given: '/orders/:id', path: '/orders/:id' },
    { given: 'orders', path: '/orders' },
    { given: '', path: '/' },
    { given: '/items/:id(\\d+)/num', path: '/items/:id/num', matches: { id: /^(?:\d+)$/i } },
    { given: '/:lang(en|de)/x', path: '/:lang/x', matches: { lang: /^(?:en|de)$/i } },
    { given: '/posts/:slug?', path: '/posts{/:slug}' },
    { given: '/posts/:year(\\d{4})?', path: '/posts{/:year}', matches: { year: /^(?:\d{4})$/i } },
    { given: '/files/(.*)', path: '/files/{*group0}' },
    { given: '/files/:path(.*)', path: '/files/{*path}' },
    { given: '/files/:path*', path: '/files{/*path}' },
    { given: '/files/:path+', path: '/files/*path' },
    { given: '/files/*', path: '/files/{*group0}' },
    { given: '/(a|b)/:id', path: '/:group0/:id', matches: { group0: /^(?:a|b)$/i } },
    { given: '/x/:id((?:a|b)+)', path: '/x/:id', matches: { id: /^(?:(?:a|b)+)$/i } },
  ]
  for (const { given, ...read } of cases) it(given || 'nothing', () => assert.deepEqual(readPath(given), read))
})
