import { base } from '../../shell/address.js'

export const rolesUrl = `${base}/roles`
export const urlOf = (id: number | string): string => `${rolesUrl}/${encodeURIComponent(id)}`
