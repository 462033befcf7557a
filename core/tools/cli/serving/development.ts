import type { Development, SchemaTask } from '../../../boot/start.js'
import { BootError } from '../../../errors.js'
import type { SchemaWrite } from '../../../plugin/parts.js'
import { readWrite, recordWrite, untoldFailure } from './write-record.js'

/** A server's message to `stele dev`: it asks for schema files to be written after its end. */
export interface WriteMessage {
  readonly writes: SchemaTask
}

/** The reply: nothing where it cannot be done now. */
export interface WriteReply {
  readonly begun: SchemaWrite | null
  /** Why it cannot be recorded. */
  readonly failed?: string
}

/** The supervisor, as a server of `stele dev` sees it. */
export function developmentOf(appDir: string): Development {
  let isAsking = false
  return {
    last: () => readWrite(appDir),
    async onceFailed(tell) {
      const failure = untoldFailure(appDir)
      if (!failure) return
      const { former: _, by, ...write } = failure
      await tell(write, by)
      recordWrite(appDir, { ...failure, isTold: true })
    },
    async begin(task) {
      if (isAsking) return undefined
      isAsking = true
      try {
        return await ask(task)
      } finally {
        isAsking = false
      }
    },
  }
}

const ask = (task: SchemaTask): Promise<SchemaWrite | undefined> =>
  new Promise((resolve, reject) => {
    const hear = (reply: Partial<WriteReply> | string) => {
      if (typeof reply === 'string' || reply.begun === undefined) return
      process.off('message', hear)
      if (reply.failed === undefined) resolve(reply.begun ?? undefined)
      else reject(new BootError(`the write cannot be begun: ${reply.failed}`, { kind: 'access' }))
    }
    process.on('message', hear)
    process.send?.({ writes: task } satisfies WriteMessage, undefined, undefined, error => {
      if (!error) return
      process.off('message', hear)
      reject(error)
    })
  })
