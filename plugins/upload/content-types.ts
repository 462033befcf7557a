import type { Definition } from '../../core/index.js'

export const fileUid = 'plugin::upload.file'
export const folderUid = 'plugin::upload.folder'
export const leftoverUid = 'plugin::upload.leftover'

const hidden = { private: true, configurable: false }

/** A file and where it stands, in the table that Strapi 4 has for it. */
const file = {
  kind: 'collectionType',
  collectionName: 'files',
  info: { singularName: 'file', pluralName: 'files', displayName: 'File' },
  options: { format: 'files' },
  attributes: {
    name: { type: 'string', required: true },
    alternativeText: { type: 'string' },
    caption: { type: 'string' },
    width: { type: 'integer' },
    height: { type: 'integer' },
    formats: { type: 'json' },
    hash: { type: 'string', required: true },
    ext: { type: 'string' },
    mime: { type: 'string', required: true },
    size: { type: 'decimal', required: true },
    url: { type: 'string', required: true },
    previewUrl: { type: 'string' },
    provider: { type: 'string', required: true },
    provider_metadata: { type: 'json' },
    related: { type: 'relation', relation: 'morphToMany', configurable: false },
    folder: { type: 'relation', relation: 'manyToOne', target: folderUid, inversedBy: 'files', ...hidden },
    folderPath: { type: 'string', ...hidden },
  },
  indexes: [
    { name: 'upload_files_folder_path_index', attributes: ['folderPath'] },
    { name: 'upload_files_created_at_index', attributes: ['createdAt'] },
    { name: 'upload_files_updated_at_index', attributes: ['updatedAt'] },
    { name: 'upload_files_name_index', attributes: ['name'] },
    { name: 'upload_files_size_index', attributes: ['size'] },
    { name: 'upload_files_ext_index', attributes: ['ext'] },
  ],
}

const folder = {
  kind: 'collectionType',
  collectionName: 'upload_folders',
  info: { singularName: 'folder', pluralName: 'folders', displayName: 'Folder' },
  attributes: {
    name: { type: 'string', required: true },
    pathId: { type: 'integer', unique: true, required: true },
    parent: { type: 'relation', relation: 'manyToOne', target: folderUid, inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: folderUid, mappedBy: 'parent' },
    files: { type: 'relation', relation: 'oneToMany', target: fileUid, mappedBy: 'folder' },
    path: { type: 'string', required: true },
  },
  indexes: [
    { name: 'upload_folders_path_id_index', attributes: ['pathId'], unique: true },
    { name: 'upload_folders_path_index', attributes: ['path'], unique: true },
  ],
}

/** Keys in storage that may belong to no file: written before the storage is touched, deleted once that is settled. */
const leftover = {
  kind: 'collectionType',
  collectionName: 'stele_upload_leftovers',
  info: { singularName: 'leftover', pluralName: 'leftovers', displayName: 'Leftover' },
  attributes: {
    hash: { type: 'string', required: true },
    keys: { type: 'json', required: true },
    provider: { type: 'string', required: true },
    /** The file waits for the entry that it was sent with; without a link it goes too. */
    waiting: { type: 'boolean', default: false },
  },
}

export const contentTypes: readonly Definition[] = Object.entries({
  [fileUid]: file,
  [folderUid]: folder,
  [leftoverUid]: leftover,
}).map(([uid, schema]) => ({ uid, source: 'plugins/upload/content-types.ts', schema }))
