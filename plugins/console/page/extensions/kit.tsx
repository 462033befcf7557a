import { batch, computed, effect, signal, useSignal } from '@preact/signals'
import { type ComponentChildren, Fragment, h, render } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { Combobox } from '../../../pages/page/combobox.js'
import { Dialog } from '../../../pages/page/dialog.js'
import { type KitName, kitPlace } from '../../model/kit-names.js'
import { Table } from '../settings/table.js'
import '../settings/settings.css'

interface ButtonProps {
  readonly children: ComponentChildren
  readonly onClick: () => void
  readonly kind?: 'primary' | 'danger' | undefined
  readonly disabled?: boolean | undefined
}

function Button({ children, onClick, kind, disabled = false }: ButtonProps) {
  return (
    <button type="button" class={kind ? `button ${kind}` : 'button'} disabled={disabled} onClick={onClick}>
      {children}
    </button>
  )
}

const kit = {
  ...{ h, Fragment, render, useEffect, useId, useMemo, useRef, useState },
  ...{ signal, computed, effect, batch, useSignal },
  ...{ Button, Combobox, Dialog, Table },
} satisfies Record<KitName, unknown>

Object.defineProperty(globalThis, Symbol.for(kitPlace), { value: Object.freeze(kit) })
