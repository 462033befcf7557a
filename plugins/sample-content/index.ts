import { definePlugin, optional } from '../../core/index.js'
import { i18n } from '../i18n/index.js'
import { upload } from '../upload/index.js'
import { fill } from './fill.js'

/** Content for the sample app, so that a new server has something to answer with. */
export const sampleContent = definePlugin({
  name: 'sample-content',
  describe: 'articles, authors and pages to try the server with',
  config: { type: 'object', properties: { password: { type: 'string' } } },
  uses: [optional(i18n), optional(upload)],
  register: host => host,
  once: [{ name: 'fill an empty database', since: '0.1.0', run: fill }],
})
