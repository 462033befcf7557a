import { BootError } from '../../errors.js'

/** An archive that is damaged, that is none, or that does not fit the app. */
export class RefusedArchive extends BootError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { ...options, kind: 'data' })
  }
}
