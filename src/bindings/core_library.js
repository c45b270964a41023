// What Embind's own JavaScript library does for types that core's functions neither take nor return: nothing. Only texts
// pass (core_bindings.cpp); without this a visitor would load the conversions of all other types too.
mergeInto(LibraryManager.library, {
  _embind_register_bool: function () {},
  _embind_register_integer: function () {},
  _embind_register_bigint: function () {},
  _embind_register_float: function () {},
  _embind_register_std_wstring: function () {},
  _embind_register_emval: function () {},
  _embind_register_memory_view: function () {},
});
