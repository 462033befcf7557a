import { constants } from 'node:fs'
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { closed } from '../handles.js'
import type { Storage } from './storage.js'

/** The mode of files that the process creates without naming one. */
const publicMode = 0o666 & ~process.umask()

/** Files in a folder of this machine, served by this server. */
export function localStorage(folder: string): Storage {
  return {
    async put(key, { path: source }) {
      const target = placeOf(folder, key)
      // The response promises that the file is kept: it must have reached the disk.
      const handle = await open(source, 'r+')
      try {
        // Incoming files belong to the server alone; stored ones are served by other programs too. Not every disk has modes.
        await handle.chmod(publicMode).catch(() => undefined)
        await handle.datasync()
      } finally {
        closed(handle)
      }
      await move(source, target).catch(async error => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        await mkdir(folder, { recursive: true })
        await move(source, target)
      })
      return `/uploads/${key}`
    },
    async get(key) {
      try {
        return (await open(placeOf(folder, key))).createReadStream()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async version(key) {
      try {
        const { mtimeMs, size } = await stat(placeOf(folder, key))
        return `${mtimeMs} ${size}`
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    remove: key => rm(placeOf(folder, key), { force: true }),
  }
}

/** Keys come from the database too, which others write: none may leave the folder. */
function placeOf(folder: string, key: string): string {
  if (key !== path.basename(key) || key.startsWith('.'))
    throw new Error('a key of the local storage is a plain file name')
  return path.join(folder, key)
}

async function move(source: string, target: string): Promise<void> {
  try {
    await rename(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    const copy = `${target}.part`
    await copyFile(source, copy, constants.COPYFILE_FICLONE)
    await rename(copy, target)
  }
}
