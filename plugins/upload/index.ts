import { definePlugin } from '../../core/index.js'
import { checks } from './checks.js'
import { contentTypes, fileUid } from './content-types.js'
import { foldersLock } from './folders/folder-rows.js'
import { folderRoutes } from './folders/routes.js'
import { readMultipart } from './forms/entry-body.js'
import { formShape } from './forms/form-shape.js'
import { media } from './media.js'
import { removal } from './removal.js'
import { routes } from './routes.js'
import { schema } from './settings.js'
import { transfer } from './transfer.js'
import { checkStart, give, startUpload } from './upload.js'
import { asks } from './variants/wish.js'

export { type FileInfo, readInfos } from './forms/info.js'
export { type PartLimits, readParts, type SentFile } from './forms/multipart.js'
export type { OwnFile } from './forms/own-file.js'
export { changeFile, takeFiles } from './routes.js'
export type { Upload } from './upload.js'

/** Files: the `media` attributes, uploads, and what becomes of them. */
export const upload = definePlugin({
  name: 'upload',
  describe: 'files: media attributes, uploads, images in several sizes',
  config: schema,
  standardIn: { strapi4: true },
  shares: {
    stored: {
      settings: { sizeOptimization: true, responsiveDimensions: true, autoOrientation: false },
      'api-folder': { id: 0 },
    },
    locks: [foldersLock],
  },
  appliesTo: ({ uid }) => uid === fileUid,
  contentTypes,
  fieldTypes: [media],
  register: startUpload,
  hooks: removal,
  checks: [{ start: checkStart }, ...checks],
  words: { headers: ['Range', 'If-Range', 'If-Modified-Since'] },
  routes: ({ variants }) => [
    ...routes,
    ...folderRoutes,
    {
      method: 'GET',
      path: '/uploads/:name',
      at: 'root',
      action: null,
      describe: 'the content of a file',
      answers: { media: '*/*' },
      ...(variants && { asks }),
      run: give,
    },
  ],
  bodies: [
    {
      type: 'multipart/form-data',
      read: (place, { files, host, legacy }) => readMultipart(place, files, host, legacy),
      shape: formShape,
    },
  ],
  formats: {
    files: {
      entry: 'plain',
      one: file => file,
      many: files => files,
      shape: { one: file => file, many: file => ({ type: 'array', items: file }) },
    },
  },
  transfer,
})
