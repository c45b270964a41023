// Embind's JavaScript side, as far as app needs it: its functions take and return truth values, numbers and texts
// (app_bindings.cpp). A text may be given as bytes. Everything else of Embind would be loaded for nothing.
// And what app_bindings.cpp asks of Emscripten's tables of WebGL objects.
mergeInto(LibraryManager.library, {
  $appKinds: {},  // by the number of a type: what it is here
  _embind_register_void__deps: [],
  _embind_register_void: function () {},
  _embind_register_bool__deps: ["$appKinds"],
  _embind_register_bool: function (type) {
    appKinds[type] = "bool";
  },
  _embind_register_std_string__deps: ["$appKinds"],
  _embind_register_std_string: function (type) {
    appKinds[type] = "text";
  },
  _embind_register_integer__deps: [],
  _embind_register_integer: function () {},
  _embind_register_bigint__deps: [],
  _embind_register_bigint: function () {},
  _embind_register_float__deps: [],
  _embind_register_float: function () {},
  _embind_register_std_wstring__deps: [],
  _embind_register_std_wstring: function () {},
  _embind_register_emval__deps: [],
  _embind_register_emval: function () {},
  _embind_register_memory_view__deps: [],
  _embind_register_memory_view: function () {},

  // A text passes as its number of bytes, 32 bits, and its bytes; whoever is given it frees it.
  // What a lost context had is gone already, and no other one may delete it.
  forget_graphics__deps: ["$GL"],
  forget_graphics: function () {
    ["buffers", "programs", "shaders", "textures", "vaos", "samplers"].forEach(function (kind) {
      GL[kind] = [];
    });
  },

  _embind_register_function__deps: ["$appKinds", "$getWasmTableEntry"],
  _embind_register_function: function (name, count, types, signature, invoker, fn) {
    // Types may be registered after functions, so what they are is looked up when one is called.
    var numbers = HEAP32.slice(types >> 2, (types >> 2) + count);
    var is = function (at, kind) {
      return appKinds[numbers[at]] === kind;
    };
    var given = function (value, at) {
      if (!is(at + 1, "text")) return value;
      var bytes = typeof value === "string" ? new TextEncoder().encode(value) : new Uint8Array(value);
      var text = _malloc(4 + bytes.length);
      HEAPU32[text >> 2] = bytes.length;
      HEAPU8.set(bytes, text + 4);
      return text;
    };
    var read = function (at, end) {
      return new TextDecoder().decode(HEAPU8.subarray(at, end));
    };
    Module[read(name, HEAPU8.indexOf(0, name))] = function () {
      var values = Array.from(arguments, given);
      var result = getWasmTableEntry(invoker).apply(null, [fn].concat(values));
      values.forEach(function (value, at) {
        if (is(at + 1, "text")) _free(value);
      });
      if (!is(0, "text")) return is(0, "bool") ? result !== 0 : result;
      var text = read(result + 4, result + 4 + HEAPU32[result >> 2]);
      _free(result);
      return text;
    };
  },
});
