import { meta } from './session.js'

const { brand, logo } = document.documentElement.dataset

/** The name and the logo of the app, as far as the page has them. */
export function Brand({ class: classes = '' }: { class?: string }) {
  const name = brand ?? meta.value?.app.name
  if (name === undefined && logo === undefined) return null
  return (
    <strong class={`brand ${classes}`} title={name}>
      {logo !== undefined && <img src={logo} alt="" />}
      <span>{name}</span>
    </strong>
  )
}
