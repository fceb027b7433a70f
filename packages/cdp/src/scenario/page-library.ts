/**
 * What runs in the page, in a world of its own that scripts of the page neither see nor change. It looks at elements, and sets
 * the state of controls that input events do not reach.
 */
export const pageLibrary = `(() => {
  if (globalThis.rea) return;
  const blank = /[\\s\\u00a0]+/g;
  const plain = (text) => (text || "").replace(blank, " ").trim();
  const skipped = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "TITLE", "META", "LINK"]);
  function* elements(root) {
    for (const element of root.querySelectorAll("*")) {
      yield element;
      if (element.shadowRoot) yield* elements(element.shadowRoot);
    }
  }
  const labelOf = (element) => element.tagName === "INPUT" && /^(button|submit|reset)$/.test(element.type) ? element.value : element.textContent;
  const fits = (value, contains) => contains
    ? (text) => plain(text).toLowerCase().includes(plain(value).toLowerCase())
    : (text) => plain(text) === plain(value);
  const byText = (value, contains) => {
    const test = fits(value, contains);
    const matching = new Set();
    for (const element of elements(document)) if (!skipped.has(element.tagName) && !element.closest("head") && test(labelOf(element))) matching.add(element);
    return [...matching].filter((element) => ![...element.children].some((child) => matching.has(child)));
  };
  const styled = (element) => element.ownerDocument.defaultView.getComputedStyle(element);
  const visible = (element) => {
    const box = element.getBoundingClientRect();
    if (!element.isConnected || box.width <= 0 || box.height <= 0) return false;
    return element.checkVisibility ? element.checkVisibility({ visibilityProperty: true }) : styled(element).visibility === "visible";
  };
  const disabled = (element) => element.matches(":disabled") || element.closest('[aria-disabled="true"]') !== null;
  const editableInputs = /^(text|search|url|tel|email|password|number)$/;
  const settableInputs = /^(date|time|month|week|datetime-local|color|range)$/;
  const wayToFill = (element) => {
    if (element.tagName === "TEXTAREA") return element.readOnly ? "no" : "type";
    if (element.tagName === "INPUT") {
      if (element.readOnly) return "no";
      return editableInputs.test(element.type) ? "type" : settableInputs.test(element.type) ? "set" : "no";
    }
    return element.isContentEditable ? "type" : "no";
  };
  const tell = (element, ...names) => {
    for (const name of names) element.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
  };
  const nativeValue = (element, value) => {
    const kind = element.tagName === "TEXTAREA" ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(kind.prototype, "value").set.call(element, value);
  };
  const checkable = (element) => element.tagName === "LABEL" && element.control ? element.control : element;
  globalThis.rea = {
    found: [],
    find(kind, value, contains) {
      try {
        if (kind === "css") this.found = [...document.querySelectorAll(value)];
        else if (kind === "test_id") this.found = [...elements(document)].filter((element) => element.getAttribute("data-testid") === value);
        else this.found = byText(value, contains);
        return this.found.length;
      } catch {
        return -1;
      }
    },
    first() {
      return this.found[0];
    },
    state(element) {
      const box = element.getBoundingClientRect();
      return {
        connected: element.isConnected,
        visible: visible(element),
        enabled: !disabled(element),
        box: [box.x, box.y, box.width, box.height].map((side) => Math.round(side * 64)),
        fill: wayToFill(element),
      };
    },
    hit(element, x, y) {
      let at = document.elementFromPoint(x, y);
      while (at && at.shadowRoot && at.shadowRoot.elementFromPoint(x, y) && at.shadowRoot.elementFromPoint(x, y) !== at) at = at.shadowRoot.elementFromPoint(x, y);
      for (let node = at; node; node = node.parentNode || node.host) if (node === element) return true;
      const label = at && at.closest ? at.closest("label") : null;
      return (at !== null && element.contains(at)) || (label !== null && label.control === element);
    },
    selectAll(element, masked) {
      if (masked) element.style.setProperty("-webkit-text-security", "disc", "important");
      element.focus();
      if (element.isContentEditable) {
        const range = document.createRange();
        range.selectNodeContents(element);
        const selection = element.ownerDocument.defaultView.getSelection();
        selection.removeAllRanges();
        selection.addRange(range);
        return element.textContent.length;
      }
      element.select();
      return element.value.length;
    },
    setValue(element, value) {
      nativeValue(element, value);
      tell(element, "input", "change");
      return element.value === value;
    },
    select(element, values) {
      if (element.tagName !== "SELECT") return "wrong_element";
      const options = [...element.options];
      const chosen = values.map((value) => options.find((option) => option.value === value) || options.find((option) => plain(option.label) === plain(value)));
      if (chosen.some((option) => !option || option.disabled) || (chosen.length > 1 && !element.multiple)) return "option_not_found";
      for (const option of options) option.selected = chosen.includes(option);
      tell(element, "input", "change");
      return "ok";
    },
    checked(element) {
      const control = checkable(element);
      if (control.tagName === "INPUT" && /^(checkbox|radio)$/.test(control.type)) return control.checked ? "yes" : "no";
      const state = control.getAttribute("aria-checked");
      return state === "true" ? "yes" : state === null ? "none" : "no";
    },
    shows(values) {
      const texts = [document.documentElement ? document.documentElement.innerText || "" : "", document.title];
      for (const element of elements(document)) {
        if (element.shadowRoot) texts.push(element.shadowRoot.textContent || "");
        const masked = element.type === "password" || (element.style && element.style.getPropertyValue("-webkit-text-security") === "disc");
        if (!masked && (element.tagName === "INPUT" || element.tagName === "TEXTAREA")) texts.push(element.value, element.placeholder);
      }
      return values.some((value) => texts.some((text) => text.includes(value)));
    },
  };
})()`;
