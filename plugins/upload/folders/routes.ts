import type { Route, RouteCall } from '../../../core/index.js'
import { fileUid } from '../content-types.js'
import type { Upload } from '../upload.js'
import { fileCounts, foldersIn, pathOf } from './folder-rows.js'
import { bodyOf, chosenIn, mostAtOnce, nameIn, placeIn } from './input.js'

/** The uid under which permissions for folders, and for many files at once, are granted. */
export const libraryUid = 'plugin::upload.library'

const base = { uid: libraryUid }
const id = { type: 'integer', minimum: 1 }
const place = { anyOf: [id, { type: 'null' }] }
const text = { type: 'string', minLength: 1, maxLength: 255 }
const time = { type: ['string', 'null'], format: 'date-time' }
const ids = { type: 'array', items: id, maxItems: mostAtOnce }
const both = { files: ids, folders: ids }

const folder = {
  type: 'object',
  properties: {
    ...{ id: { type: 'integer' }, name: { type: 'string' }, pathId: { type: 'integer' }, path: { type: 'string' } },
    parent: place,
    ...{ createdAt: time, updatedAt: time },
  },
  required: ['id', 'name', 'pathId', 'path', 'parent'],
}
const counted = {
  ...folder,
  properties: {
    ...folder.properties,
    files: { type: 'integer', description: 'the files in it; absent where the caller may list some files only' },
  },
}
const wish = { type: 'object', properties: { name: text, parent: place }, additionalProperties: false }
const many = (more: object) => ({ type: 'object', properties: { ...both, ...more }, additionalProperties: false })

/** Folders of the library, as the panel of Strapi 4 stores them. */
export const folderRoutes: readonly Route<Upload>[] = [
  {
    ...base,
    method: 'GET',
    path: '/upload/folders',
    action: 'findFolders',
    describe: 'list all folders of files',
    answers: { type: 'array', items: counted },
    run: list,
  },
  {
    ...base,
    method: 'POST',
    path: '/upload/folders',
    action: 'createFolder',
    describe: 'make a folder for files',
    accepts: { ...wish, required: ['name'] },
    answers: folder,
    run: call => {
      const { name, parent = null } = bodyOf(call.body, ['name', 'parent'])
      return call.service.folders.create(nameIn(name), placeIn('parent', parent), call)
    },
  },
  {
    ...base,
    method: 'PUT',
    path: '/upload/folders/:id',
    action: 'updateFolder',
    describe: 'rename a folder, or put it into another one',
    accepts: wish,
    answers: folder,
    run: call => {
      const { name, parent } = bodyOf(call.body, ['name', 'parent'])
      const change = {
        ...(name !== undefined && { name: nameIn(name) }),
        ...(parent !== undefined && { parent: placeIn('parent', parent) }),
      }
      return call.service.folders.change(idOf(call), change, call)
    },
  },
  {
    ...base,
    method: 'DELETE',
    path: '/upload/folders/:id',
    action: 'deleteFolder',
    describe: 'delete a folder with all files and folders in it',
    answers: { type: 'object', properties: { files: { type: 'integer' }, folders: { type: 'integer' } } },
    run: call => call.service.folders.remove({ files: [], folders: [idOf(call)] }, call),
  },
  {
    ...base,
    method: 'POST',
    path: '/upload/move',
    action: 'move',
    describe: 'move files and folders to a folder',
    accepts: { ...many({ to: place }), required: ['to'] },
    answers: { type: 'object', properties: both },
    run: call => {
      const { to, ...chosen } = bodyOf(call.body, ['files', 'folders', 'to'])
      return call.service.folders.move(chosenIn(chosen), placeIn('to', to), call)
    },
  },
  {
    ...base,
    method: 'POST',
    path: '/upload/delete',
    action: 'deleteMany',
    describe: 'delete files, and folders with all that is in them',
    accepts: many({}),
    answers: { type: 'object', properties: { files: { type: 'integer' }, folders: { type: 'integer' } } },
    run: call => call.service.folders.remove(chosenIn(bodyOf(call.body, ['files', 'folders'])), call),
  },
]

const idOf = ({ params }: RouteCall<Upload>): number => (/^\d{1,15}$/.test(params.id ?? '') ? Number(params.id) : 0)

async function list({ service: { host }, caller }: RouteCall<Upload>): Promise<unknown> {
  const folders = await foldersIn(host)
  // Numbers of files that the caller may not list are not told.
  if (caller.rows?.('library', fileUid)) return folders
  const counts = await fileCounts(host)
  return folders.map(folder => ({ ...folder, files: counts.get(pathOf(folder)) ?? 0 }))
}
