# What other projects use: find_package(memwall) after `cmake --install build/native`, or this folder by FetchContent. Both give
# memwall::core; headers are named as here: #include "estimate/estimate.hpp".
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/memwall)

install(TARGETS memwall_core yyjson EXPORT memwall ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
set_target_properties(memwall_core PROPERTIES EXPORT_NAME core OUTPUT_NAME memwall)
set_target_properties(yyjson PROPERTIES OUTPUT_NAME memwall_yyjson) # built with options of ours
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/ ${generated}/base DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/memwall FILES_MATCHING PATTERN "*.hpp"
        PATTERN ui EXCLUDE PATTERN cli EXCLUDE PATTERN bindings EXCLUDE)
install(FILES ${yyjson_SOURCE_DIR}/src/yyjson.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/memwall)
install(EXPORT memwall NAMESPACE memwall:: FILE memwallConfig.cmake DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/memwallConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/memwallConfigVersion.cmake DESTINATION ${package_folder})
if(TARGET memwall)
  install(TARGETS memwall RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
