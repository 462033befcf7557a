import { optional } from '../../../core/index.js'
import { upload } from '../../upload/index.js'
import { usersPermissions } from '../../users-permissions/index.js'
import type { GraphqlHost } from '../http/service.js'
import type { MadeTypes, More } from '../model/index.js'
import { accountRoots } from './accounts.js'
import { uploadRoots } from './uploads.js'

/** The roots that the enabled plugins have beside those of the content. */
export const rootsOfPlugins =
  (host: Pick<GraphqlHost, 'service'>) =>
  (made: MadeTypes): More => {
    const accounts = host.service(optional(usersPermissions))
    const files = host.service(optional(upload))
    const parts = [files && uploadRoots(files, made), accounts && accountRoots(accounts, made)]
    return {
      query: Object.assign({}, ...parts.map(part => part?.query)),
      mutation: Object.assign({}, ...parts.map(part => part?.mutation)),
    }
  }
