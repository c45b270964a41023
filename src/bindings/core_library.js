// Embind's JavaScript side, as far as core needs it: its functions take texts and return a text (core_bindings.cpp).
// Without this a visitor would load the conversions of all other types, and what checks and names them.
mergeInto(LibraryManager.library, {
  _embind_register_void__deps: [],
  _embind_register_void: function () {},
  _embind_register_bool__deps: [],
  _embind_register_bool: function () {},
  _embind_register_integer__deps: [],
  _embind_register_integer: function () {},
  _embind_register_bigint__deps: [],
  _embind_register_bigint: function () {},
  _embind_register_float__deps: [],
  _embind_register_float: function () {},
  _embind_register_std_string__deps: [],
  _embind_register_std_string: function () {},
  _embind_register_std_wstring__deps: [],
  _embind_register_std_wstring: function () {},
  _embind_register_emval__deps: [],
  _embind_register_emval: function () {},
  _embind_register_memory_view__deps: [],
  _embind_register_memory_view: function () {},

  // A text passes as its number of bytes, 32 bits, and its bytes in UTF-8; whoever is given it frees it.
  _embind_register_function__deps: ["$getWasmTableEntry"],
  _embind_register_function: function (name, count, types, signature, invoker, fn) {
    var read = function (at, end) {
      return new TextDecoder().decode(HEAPU8.subarray(at, end));
    };
    var given = function (text) {
      var bytes = new TextEncoder().encode(text);
      var at = _malloc(4 + bytes.length);
      HEAPU32[at >> 2] = bytes.length;
      HEAPU8.set(bytes, at + 4);
      return at;
    };
    Module[read(name, HEAPU8.indexOf(0, name))] = function () {
      var texts = Array.from(arguments, given);
      var at = getWasmTableEntry(invoker).apply(null, [fn].concat(texts));
      texts.forEach(_free);
      var text = read(at + 4, at + 4 + HEAPU32[at >> 2]);
      _free(at);
      return text;
    };
  },
});
