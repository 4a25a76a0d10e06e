// Elements of the page, made in one call each; text never becomes markup.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export const button = (text, onclick, attributes = {}) => element("button", { type: "button", onclick, ...attributes }, text);

let fields = 0;

/** A field behind its label. */
export function labelled(text, field) {
  field.id = `cv-field-${++fields}`;
  return element("div", { class: "cv-field" }, element("label", { for: field.id }, text), field);
}

export function select(options, chosen, onchange) {
  const made = element("select", { onchange: () => onchange(made.value) });
  for (const [value, text] of options) made.append(element("option", { value, selected: String(value) === String(chosen) }, text));
  return made;
}

export function slider({ low = 0, high = 1, step = "any", value, oninput, ...attributes }) {
  const made = element("input", { type: "range", min: low, max: high, step, oninput: () => oninput(Number(made.value)), ...attributes });
  made.value = value;
  return made;
}

export const count = (number) => number.toLocaleString("en");

/** A number with as many digits as make sense at this step between two values. */
export function digits(number, step) {
  if (!(step > 0)) return String(Number(number.toPrecision(7)));
  return number.toFixed(Math.min(9, Math.max(0, Math.ceil(-Math.log10(step)))));
}
