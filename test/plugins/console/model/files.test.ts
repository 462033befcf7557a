import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { arrivalOf, rowsWith } from '../../../../plugins/console/model/files/arriving.js'
import { branchesOf, wayTo } from '../../../../plugins/console/model/files/folders.js'
import { fileFilters, mediaViewIn, mediaViewText } from '../../../../plugins/console/model/files/view.js'

const file = (id: number) => ({ id, uid: 'plugin::upload.file', values: {} })
const arriving = (key: string, batch: number, id?: number) => ({
  key,
  batch,
  file: id === undefined ? undefined : file(id),
})

describe('files on their way into a list', () => {
  const cases: readonly [says: string, files: number[], all: ReturnType<typeof arriving>[], gives: string[]][] = [
    ['stand at the end', [1, 2], [arriving('a', 1), arriving('b', 1)], ['1', '2', 'a', 'b']],
    [
      'keep their order where the second comes first',
      [1, 12],
      [arriving('a', 1), arriving('b', 1, 12)],
      ['1', 'a', 'b'],
    ],
    ['follow those of their batch that were moved', [11, 1], [arriving('a', 1, 11), arriving('b', 1)], ['a', 'b', '1']],
    ['stand before those that were given later', [1, 12], [arriving('a', 1), arriving('b', 2, 12)], ['1', 'a', 'b']],
    ['are gone once they were taken away', [1], [arriving('a', 1, 11), arriving('b', 1)], ['1', 'b']],
  ]
  for (const [says, files, all, gives] of cases)
    it(says, () => {
      const rows = rowsWith(files.map(file), all)
      assert.deepEqual(
        rows.map(({ key }) => key.replace('plugin::upload.file ', '')),
        gives,
      )
    })

  it('take the place at which they were shown', () => {
    const rows = rowsWith([file(1), file(12)], [arriving('a', 1), arriving('b', 1, 12), arriving('c', 1)])
    assert.deepEqual(
      ['a', 'b', 'c'].map(key => arrivalOf(rows, key)),
      [1, 1, 2],
    )
  })
})

describe('the library', () => {
  it('has its state in the address', () => {
    for (const text of [
      '',
      '?folder=3',
      '?folder=3&q=a+b%26c&type=images&text=missing&order=name&from=50',
      '?type=files',
    ])
      assert.equal(mediaViewText(mediaViewIn(text)), text)
    assert.equal(mediaViewText(mediaViewIn('?folder=x&type=all&from=-1&text=other&order=size')), '')
  })

  it('asks for nothing where all files are meant', () => {
    assert.equal(fileFilters({ text: '' }), undefined)
    assert.equal(fileFilters({ text: '', kinds: ['images', 'videos', 'audios', 'files'] }), undefined)
    assert.deepEqual(fileFilters({ text: '', path: '/1', kinds: ['images'] }), {
      $and: [{ folderPath: { $eq: '/1' } }, { $or: [{ mime: { $startsWith: 'image/' } }] }],
    })
  })

  it('shows folders by name, and those of open ones', () => {
    const folder = (id: number, name: string, parent: number | null, path: string) => ({ id, name, parent, path })
    const folders = [
      folder(1, 'b', null, '/1'),
      folder(2, 'a', null, '/2'),
      folder(3, 'z', 1, '/1/3'),
      folder(4, 'y', 3, '/1/3/4'),
    ]
    const named = (isOpen?: (one: { id: number }) => boolean) =>
      branchesOf(folders, isOpen).map(
        ({ folder: { name }, level, hasFolders }) => `${level} ${name}${hasFolders ? ' >' : ''}`,
      )
    assert.deepEqual(named(), ['1 a', '1 b >', '2 z >', '3 y'])
    assert.deepEqual(
      named(({ id }) => id === 1),
      ['1 a', '1 b >', '2 z >'],
    )
    assert.deepEqual(
      wayTo(folders, 4).map(({ name }) => name),
      ['b', 'z', 'y'],
    )
  })
})
