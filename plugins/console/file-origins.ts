import type { Config } from '../../core/index.js'

/** Origins of files that are stored elsewhere: those of the settings, and that of the address which those of `upload` give files. */
export function fileOrigins({ plugins }: Pick<Config, 'plugins'>, { files }: { readonly files: readonly string[] }) {
  const { baseUrl } = Object(Object(plugins.upload?.config).providerOptions) as { readonly baseUrl?: unknown }
  const isElsewhere = typeof baseUrl === 'string' && /^https?:/.test(baseUrl) && URL.canParse(baseUrl)
  return [...files, ...(isElsewhere ? [new URL(baseUrl).origin] : [])]
}
