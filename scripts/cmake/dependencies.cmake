# Pinned sources: the rows of scripts/dependencies.json. scripts/dependencies.py puts them into the cache
# (.deps, or $MEMWALL_CACHE); whatever is missing there comes from upstream by commit.
include(FetchContent)
if(DEFINED ENV{MEMWALL_CACHE})
  set(deps_cache $ENV{MEMWALL_CACHE})
else()
  set(deps_cache ${PROJECT_SOURCE_DIR}/.deps)
endif()
set(FETCHCONTENT_BASE_DIR ${deps_cache}/upstream)
set(deps_table ${PROJECT_SOURCE_DIR}/scripts/dependencies.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${deps_table})
file(READ ${deps_table} deps_rows)

# Makes <name>_SOURCE_DIR known. The folder's own build files are never used.
function(memwall_dependency name)
  string(JSON url GET ${deps_rows} ${name} upstream)
  string(JSON commit GET ${deps_rows} ${name} commit)
  string(TOUPPER ${name} upper)
  if(NOT FETCHCONTENT_SOURCE_DIR_${upper} AND EXISTS ${deps_cache}/${name}/.source)
    set(FETCHCONTENT_SOURCE_DIR_${upper} ${deps_cache}/${name})
  endif()
  FetchContent_Declare(${name} GIT_REPOSITORY ${url} GIT_TAG ${commit} SOURCE_SUBDIR unused)
  FetchContent_MakeAvailable(${name})
  set(${name}_SOURCE_DIR ${${name}_SOURCE_DIR} PARENT_SCOPE)
endfunction()

memwall_dependency(yyjson)
add_library(yyjson STATIC ${yyjson_SOURCE_DIR}/src/yyjson.c)
target_include_directories(yyjson SYSTEM PUBLIC $<BUILD_INTERFACE:${yyjson_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include/memwall>)
# Strict JSON, whole documents, read only (export/json_tree writes): JSON Pointer, patch and merge are not used. Numbers
# go through strtod and functions are not forced inline: together 16 KB of Brotli less in core.wasm.
target_compile_definitions(yyjson PUBLIC YYJSON_DISABLE_UTILS=1 YYJSON_DISABLE_NON_STANDARD=1 YYJSON_DISABLE_WRITER=1
                           YYJSON_DISABLE_FAST_FP_CONV=1 yyjson_inline=__inline__)
target_compile_options(yyjson PRIVATE -ffp-contract=off)

if(MEMWALL_BUILD_TESTS)
  memwall_dependency(catch2)
  add_library(catch2 STATIC EXCLUDE_FROM_ALL ${catch2_SOURCE_DIR}/extras/catch_amalgamated.cpp)
  target_include_directories(catch2 SYSTEM PUBLIC ${catch2_SOURCE_DIR}/extras)
  if(EMSCRIPTEN)
    target_compile_options(catch2 PRIVATE -fexceptions)
  endif()
endif()
